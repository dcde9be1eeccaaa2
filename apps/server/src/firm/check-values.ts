import { type MatterType, startsWithYou } from '@keyturn/contract';
import {
  type BankHoliday,
  type CatalogueSearch,
  type DocumentGroupWords,
  type ExportProfile,
  hasUsualTimes,
  type MilestonePath,
  requiredSteps,
  stepsWithUsualWeeks,
  type WaitingTexts,
} from '@keyturn/contract/staff';
import { DomainError } from '../platform/domain-error.ts';

/* Rules for values that schemas cannot express. */

/** Sorts bank holidays by day. @throws DomainError `invalid_input` for a duplicate day */
export function checkBankHolidays(holidays: BankHoliday[]): BankHoliday[] {
  refuseDuplicates(holidays, 'day');
  return [...holidays].sort((left, right) => (left.day < right.day ? -1 : 1));
}

/** @throws DomainError `invalid_input` for a duplicate code, or a duration that ends before it starts */
export function checkSearchCatalogue(searches: CatalogueSearch[]): CatalogueSearch[] {
  refuseDuplicates(searches, 'code');
  for (const [index, { usual_working_days: usual, vat_rate }] of searches.entries()) {
    if (usual && usual.from > usual.to)
      throw invalid(`value.${index}.usual_working_days.to`, 'must not be less than from');
    // The rate of a search on a case is stored with two digits.
    if (Math.abs(vat_rate * 100 - Math.round(vat_rate * 100)) > 1e-6)
      throw invalid(`value.${index}.vat_rate`, 'must not have more than two digits after the point');
  }
  return searches;
}

/** @throws DomainError `invalid_input` for a duplicate group or name */
export function checkDocumentGroups(groups: DocumentGroupWords[]): DocumentGroupWords[] {
  refuseDuplicates(groups, 'group');
  refuseDuplicates(groups, 'name');
  return groups;
}

/** @throws DomainError `invalid_input` for a name that two profiles have, and for a fixed text that is missing or not used */
export function checkExportProfiles(profiles: ExportProfile[]): ExportProfile[] {
  const errors: Record<string, string[]> = {};
  const names = new Set<string>();
  for (const [index, { name, columns }] of profiles.entries()) {
    const folded = name.toLowerCase();
    if (names.has(folded)) errors[`value.${index}.name`] = ['is the name of another format'];
    names.add(folded);
    for (const [place, { field, text }] of columns.entries()) {
      const isFixed = field === 'fixed_text';
      if (isFixed !== (text !== null))
        errors[`value.${index}.columns.${place}.text`] = [
          isFixed ? 'is missing' : 'is only for a fixed text',
        ];
    }
  }
  if (Object.keys(errors).length > 0) throw new DomainError('invalid_input', { errors });
  return profiles;
}

/**
 * @throws DomainError `invalid_input` for a duplicate text, and one that starts with “You”: Keyturn works out what clients have to do
 */
export function checkWaitingTexts(texts: WaitingTexts): WaitingTexts {
  for (const [index, text] of texts.entries()) {
    if (texts.indexOf(text) !== index) throw invalid(`value.${index}`, 'is in the list twice');
    if (startsWithYou(text))
      throw invalid(`value.${index}`, 'starts with “You”: Keyturn works out itself what clients have to do');
  }
  return texts;
}

/**
 * Checks that the steps of a path are different, belong to its stages, and include those that Keyturn depends on, and
 * that usual times have the day of their figures.
 * @param today in London
 * @throws DomainError `invalid_input`
 */
export function checkMilestonePath(
  matterType: MatterType,
  path: MilestonePath,
  today: string,
): MilestonePath {
  const { stages, steps } = path;
  refuseDuplicates(steps, 'key', 'value.steps');
  const missing = requiredSteps[matterType].filter((key) => !steps.some((step) => step.key === key));
  if (missing.length > 0)
    throw invalid('value.steps', `must include ${missing.join(', ')}, which Keyturn depends on`);
  for (const [index, step] of steps.entries()) {
    const { stage, usual_working_days: days, usual_weeks: weeks, key, features = [] } = step;
    const place = `value.steps.${index}`;
    if (features.length > 0 && requiredSteps[matterType].includes(key))
      throw invalid(
        `${place}.features`,
        'must be empty, because Keyturn depends on this step in every matter',
      );
    if (stage >= stages.length) throw invalid(`${place}.stage`, 'is not a stage of this path');
    if (days && days.from > days.to)
      throw invalid(`${place}.usual_working_days.to`, 'must not be less than from');
    if (weeks && weeks.from > weeks.to)
      throw invalid(`${place}.usual_weeks.to`, 'must not be less than from');
    if (weeks && !stepsWithUsualWeeks.includes(key))
      throw invalid(`${place}.usual_weeks`, 'is only for exchange and completion');
  }
  if (!path.figures_of && steps.some(hasUsualTimes))
    throw invalid('value.figures_of', 'is missing: clients read of which month the usual times are');
  if (path.figures_of && path.figures_of > today)
    throw invalid('value.figures_of', 'must not be in the future');
  const empty = stages.findIndex((_stage, index) => !steps.some(({ stage }) => stage === index));
  if (empty !== -1) throw invalid(`value.stages.${empty}`, 'has no steps');
  return path;
}

function refuseDuplicates<Field extends string>(
  members: readonly Record<Field, string>[],
  field: Field,
  place = 'value',
): void {
  const known = new Set<string>();
  for (const [index, member] of members.entries()) {
    if (known.has(member[field])) throw invalid(`${place}.${index}.${field}`, 'is in the list twice');
    known.add(member[field]);
  }
}

const invalid = (field: string, problem: string) =>
  new DomainError('invalid_input', { errors: { [field]: [problem] } });
