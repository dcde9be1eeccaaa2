import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type FeedRecord, feedRecords, type MatterType, matterTypes } from '@keyturn/contract';
import { type MilestonePath, type SpreadsheetField, spreadsheetFields } from '@keyturn/contract/staff';
import { findCancellationProblem } from '../../../case-file/cases/cancellation.ts';
import { isForMatter } from '../../../case-file/matters/plan-path.ts';
import { findProblem } from '../../../case-file/records/find-problem.ts';
import { findDayProblems } from '../../../case-file/records/near-days.ts';
import { normalForm } from '../../../case-file/records/read-records.ts';
import { newId } from '../../../platform/ids.ts';
import { explainReason, fieldOfPlace } from './explain-problem.ts';
import { newMatterReference, type StoredCases } from './find-stored-cases.ts';
import { comparable, fullName, isSameName } from './group-rows.ts';
import type { RowProblem, SheetCase, SheetClient, Values } from './sheet-case.ts';

/** The planned import of a case. */
export interface PlannedCase {
  sheetCase: SheetCase;
  outcome: 'created' | 'updated' | 'unchanged';
  /** Only records that are new or differ from what is stored. */
  clients: { sent: SheetClient; record: FeedRecord<'clients'> }[];
  case: FeedRecord<'cases'> | null;
  matters: { row: number; record: FeedRecord<'matters'> }[];
  /** The cells as hashes, which are remembered with the records that they were applied to. */
  cells: Record<string, string>;
}

/**
 * Plans the records of a case. Empty cells, and cells that are unchanged since the last import, change nothing, so
 * that importing a file again keeps later edits. Clients are never removed from a case, and existing clients are not
 * changed.
 * @param options.firmPhone for handlers without a number
 * @returns the records, or the reasons why the case cannot be imported
 */
export function planCase(
  sheetCase: SheetCase,
  stored: StoredCases,
  { firmPhone, now }: { firmPhone: string | null; now: Date },
): PlannedCase | RowProblem[] {
  const before = stored.cells.get(sheetCase.reference) ?? {};
  const cells = { ...before, ...hashCells(sheetCase) };
  const isChanged = (key: string) => key in cells && cells[key] !== before[key];
  const plan: CasePlan = { sheetCase, stored, firmPhone, isChanged, problems: [...sheetCase.problems] };
  const clients = planClients(plan);
  const { record, isNew: isNewCase, hasChanged } = planCaseRecord(plan, clients);
  const matters = planMatters(plan);
  const planned: PlannedCase = {
    sheetCase,
    outcome: isNewCase ? 'created' : hasChanged || matters.length > 0 ? 'updated' : 'unchanged',
    clients: clients.flatMap(({ sent, record: client }) => (client ? [{ sent, record: client }] : [])),
    case: hasChanged ? record : null,
    matters,
    cells,
  };
  const problems = [...plan.problems, ...validate(planned, stored, now).filter(isNewProblem(plan.problems))];
  return problems.length > 0 ? problems : planned;
}

/** A record has no value for a cell that was refused, and no client whose cells were: that is one problem. */
const isNewProblem =
  (reported: readonly RowProblem[]) =>
  ({ field }: RowProblem): boolean =>
    !reported.some(
      (problem) => problem.field === field || (field === 'client_1_email' && isAboutClient(problem)),
    );

const isAboutClient = ({ field }: RowProblem) => field?.startsWith('client_') === true;

interface CasePlan {
  sheetCase: SheetCase;
  stored: StoredCases;
  firmPhone: string | null;
  isChanged(cell: string): boolean;
  problems: RowProblem[];
}

/** A hash of each cell, because the text can be personal, and only changes matter. */
function hashCells({ values, matters, clients }: SheetCase): Record<string, string> {
  const all: [string, string | number][] = [
    ...[...values].map(([field, { value }]): [string, string | number] => [field, value]),
    ...[...matters].flatMap(([type, ofMatter]) =>
      [...ofMatter].map(([field, { value }]): [string, string | number] => [`${type}.${field}`, value]),
    ),
    ...clients.map(({ email }): [string, string] => [clientCell(email), comparable(email)]),
  ];
  return Object.fromEntries(all.map(([key, value]) => [key, shortHash(`${key} ${value}`)]));
}

/** The cells from which the record of a matter is made. */
export const matterCells = (cells: Record<string, string>, type: MatterType): Record<string, string> =>
  pickCells(cells, (key) => key.startsWith(`${type}.`));

/** The cells from which the record of a case is made. */
export const caseCells = (cells: Record<string, string>): Record<string, string> =>
  pickCells(cells, (key) => !matterTypes.some((type) => key.startsWith(`${type}.`)));

const pickCells = (cells: Record<string, string>, isPicked: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(cells).filter(([key]) => isPicked(key)));

const shortHash = (text: string) => hash('sha256', text, 'base64url').slice(0, 16);
const clientCell = (email: string) => `client.${shortHash(comparable(email))}`;

interface PlannedClient {
  sent: SheetClient;
  reference: string;
  /** Null for an existing client. */
  record: FeedRecord<'clients'> | null;
}

function planClients({ sheetCase, stored, problems }: CasePlan): PlannedClient[] {
  return sheetCase.clients.map((sent) => {
    const known = stored.clients.get(comparable(sent.email));
    if (known && !isSameName(known, sent.name))
      problems.push({
        row: sent.row,
        field: `client_${sent.position}_email`,
        reason: `is the address of ${fullName(known)}. Correct the address, or change the name of this client at the desk`,
      });
    const reference = known?.reference ?? newId();
    const phone = sent.phone === null ? {} : { phone: sent.phone };
    const record = known ? null : { reference, ...sent.name, email: sent.email, ...phone };
    return { sent, reference, record };
  });
}

function planCaseRecord(plan: CasePlan, clients: readonly PlannedClient[]) {
  const { sheetCase, stored, isChanged } = plan;
  const known = stored.cases.get(sheetCase.reference)?.record;
  const changed = <Field extends SpreadsheetField>(field: Field) =>
    !known || isChanged(field) ? textOf(sheetCase.values, field) : undefined;
  const added = clients
    .filter(({ sent }) => !known || isChanged(clientCell(sent.email)))
    .map(({ reference }) => reference);
  const [main, ...others] = known?.handlers ?? [];
  const required = (field: SpreadsheetField, fallback?: string) =>
    changed(field) ?? fallback ?? requireCell(plan, field);
  const record: FeedRecord<'cases'> = {
    reference: sheetCase.reference,
    title: changed('case_title') ?? known?.title ?? titleOf(sheetCase),
    status: known?.status ?? 'active',
    ...planCancellation(changed('cancellation'), changed('cancellation_notice_given'), known),
    clients: [...new Set([...(known?.clients ?? []), ...added])],
    handlers: [
      {
        name: required('handler_name', main?.name),
        role: changed('handler_role') ?? main?.role ?? 'Your conveyancer',
        email: required('handler_email', main?.email),
        phone: required('handler_phone', main?.phone ?? plan.firmPhone ?? undefined),
      },
      ...others,
    ],
  };
  if (record.clients.length === 0 && !plan.problems.some(isAboutClient)) requireCell(plan, 'client_1_email');
  const hasChanged = !known || !isDeepStrictEqual(normalForm('cases', record, null), known);
  return { record, isNew: !known, hasChanged };
}

type Cancellation = Pick<
  FeedRecord<'cases'>,
  'cancellation' | 'cancellation_ends_on' | 'cancellation_notice_given'
>;

/**
 * Reads the right to cancel from its two cells.
 * @param period `none`, `unknown` or a day; undefined: the known period stays
 */
function planCancellation(
  period: string | undefined,
  notice: string | undefined,
  known: Cancellation | undefined,
): Cancellation {
  const isDay = period !== undefined && period !== 'none' && period !== 'unknown';
  const planned: Cancellation = isDay
    ? { cancellation: 'ends_on', cancellation_ends_on: period }
    : period === undefined
      ? pickCancellation(known)
      : { cancellation: period };
  // A notice that was confirmed for another day says nothing about this one.
  const isSameDay = planned.cancellation_ends_on === known?.cancellation_ends_on;
  const isGiven = notice === undefined ? isSameDay && known?.cancellation_notice_given : notice === 'yes';
  return isGiven && planned.cancellation === 'ends_on'
    ? { ...planned, cancellation_notice_given: true }
    : planned;
}

const pickCancellation = ({ cancellation, cancellation_ends_on }: Cancellation = {}): Cancellation => ({
  ...(cancellation === undefined ? {} : { cancellation }),
  ...(cancellation_ends_on === undefined ? {} : { cancellation_ends_on }),
});

const titlesByType: Record<MatterType, string> = {
  purchase: 'Purchase of',
  sale: 'Sale of',
  remortgage: 'Remortgage of',
  'transfer-of-equity': 'Transfer of equity in',
};

/** Such as “Sale of 1 High Street and purchase of 5 Mill Lane”. */
function titleOf({ matters, reference }: SheetCase): string {
  const parts = [...matters].map(
    ([type, values], index) =>
      `${index === 0 ? titlesByType[type] : titlesByType[type].toLowerCase()} ${textOf(values, 'address_1') ?? ''}`,
  );
  return parts.join(' and ').trim().slice(0, 300) || reference;
}

function planMatters(plan: CasePlan): PlannedCase['matters'] {
  const { sheetCase, stored, problems } = plan;
  const known = stored.cases.get(sheetCase.reference);
  if (sheetCase.matters.size === 0 && !known && problems.length === 0) requireCell(plan, 'matter_type');
  return [...sheetCase.matters].flatMap(([type, values]) => {
    const ofType = known?.matters.get(type) ?? [];
    const [first] = ofType;
    const row = Math.min(...[...values.values()].map((cell) => cell.row), ...sheetCase.rows);
    if (ofType.length > 1) {
      problems.push({
        row,
        field: 'matter_type',
        reason: 'is that of two matters of this case. Change them at the desk',
      });
      return [];
    }
    const path = first?.path ?? stored.paths[type];
    const milestone = values.get('milestone');
    // The matter's path does not have the step yet.
    if (milestone && !path.steps.some(({ key }) => key === milestone.value)) {
      problems.push({ row, field: 'milestone', reason: 'isn’t a milestone of this matter' });
      return [];
    }
    const record = planMatter(plan, { type, values, path, known: first?.record });
    const isSameAsStored = first && isDeepStrictEqual(normalForm('matters', record, path), first.record);
    return isSameAsStored ? [] : [{ row, record }];
  });
}

function planMatter(
  plan: CasePlan,
  {
    type,
    values,
    path,
    known,
  }: { type: MatterType; values: Values; path: MilestonePath; known: FeedRecord<'matters'> | undefined },
): FeedRecord<'matters'> {
  const { reference } = plan.sheetCase;
  const isChanged = (field: SpreadsheetField) => !known || plan.isChanged(`${type}.${field}`);
  const changed = (field: SpreadsheetField) => (isChanged(field) ? textOf(values, field) : undefined);
  const required = (field: SpreadsheetField, fallback: string | undefined) =>
    changed(field) ?? fallback ?? requireCell(plan, field);
  const property = known?.property;
  const price = isChanged('price') ? values.get('price')?.value : undefined;
  const dates = ['target_exchange_on', 'target_completion_on', 'exchanged_on'] as const;
  const milestone = changed('milestone') ?? (known ? undefined : path.steps[0]?.key);
  const steps = path.steps.filter(
    (step) =>
      isForMatter(step, known?.features ?? []) ||
      step.key === milestone ||
      known?.milestones.some(({ key }) => key === step.key),
  );
  const milestones = moveTo(steps, known?.milestones ?? [], milestone, changed('instructed_on'));
  return {
    ...(known ?? {
      reference: newMatterReference(reference, type),
      case: reference,
      matter_type: type,
      status: 'active',
    }),
    property: {
      address_lines: linesOf(values, isChanged) ??
        property?.address_lines ?? [requireCell(plan, 'address_1')],
      town: required('town', property?.town),
      postcode: required('postcode', property?.postcode),
      tenure: required('tenure', property?.tenure) as 'freehold',
      title_number: changed('title_number') ?? property?.title_number ?? null,
      price: price === undefined ? (property?.price ?? null) : Number(price),
    },
    ...Object.fromEntries(dates.flatMap((field) => (changed(field) ? [[field, changed(field)]] : []))),
    milestones,
  };
}

/** @returns the lines of the address, if one of them is new or has changed and the first is not empty */
function linesOf(values: Values, isChanged: (field: SpreadsheetField) => boolean): string[] | undefined {
  const fields = ['address_1', 'address_2', 'address_3'] as const;
  if (!fields.some(isChanged) || !values.has('address_1')) return undefined;
  return fields.flatMap((field) => textOf(values, field) ?? []);
}

type Milestones = FeedRecord<'matters'>['milestones'];

/**
 * Makes a milestone the current one: earlier ones become done and later ones upcoming, except those that are not
 * needed.
 * @param current undefined: the milestones stay unchanged
 */
function moveTo(
  steps: MilestonePath['steps'],
  stored: Milestones,
  current: string | undefined,
  instructedOn: string | undefined,
): Milestones {
  const [instructed] = steps;
  const position = steps.findIndex(({ key }) => key === current);
  return steps.flatMap(({ key }, index) => {
    const found = stored.find((each) => each.key === key);
    const dated = key === instructed?.key && instructedOn !== undefined ? { reached_on: instructedOn } : {};
    if (position < 0 || found?.status === 'not_needed')
      return found ? [{ ...found, ...(found.status === 'done' ? dated : {}) }] : [];
    if (index < position) return [{ ...found, key, status: 'done' as const, ...dated }];
    const { reached_on: _reached, ...rest } = found ?? { key };
    if (index === position) return [{ ...rest, status: 'current' as const }];
    const hasOwnWords = Object.keys(rest).length > (found ? 2 : 1);
    return hasOwnWords ? [{ ...rest, status: 'upcoming' as const }] : [];
  });
}

function textOf(values: Values, field: SpreadsheetField): string | undefined {
  const value = values.get(field)?.value;
  return value === undefined ? undefined : String(value);
}

/** The firm’s number is shown for a handler without one. */
const noPhone =
  'is empty, and there is no number of the firm to show instead. Fill it in, or enter the firm’s details in the settings first';

/** Reports a missing cell that a new case needs. */
function requireCell({ sheetCase, problems }: CasePlan, field: SpreadsheetField): string {
  const [row = 0] = sheetCase.rows;
  const hasReported = problems.some((problem) => problem.field === field);
  if (!hasReported) problems.push({ row, field, reason: field === 'handler_phone' ? noPhone : 'is empty' });
  return '';
}

/** Checks the records as the import will, because a row is imported completely or not at all. */
function validate(
  { sheetCase, clients, case: record, matters }: PlannedCase,
  stored: StoredCases,
  now: Date,
): RowProblem[] {
  const known = stored.cases.get(sheetCase.reference)?.matters;
  const [row = 0] = sheetCase.rows;
  const explain = (
    list: 'clients' | 'cases' | 'matters',
    sent: { row: number; position: 1 | 2 },
    checked: object,
  ): RowProblem[] => {
    const invalid = findProblem(feedRecords[list], checked, '');
    const unfit = list === 'cases' ? findCancellationProblem(checked) : null;
    const found = invalid
      ? [invalid, ...(invalid.others ?? [])]
      : unfit
        ? [{ place: `/${unfit.field}`, reason: unfit.reason }]
        : findDayProblems(list, checked, {
            now,
            readStored: () => known?.get((checked as FeedRecord<'matters'>).matter_type)?.[0]?.record,
          });
    return found.map(({ place, reason }) => ({
      row: sent.row,
      field: fieldOfPlace(list, place, sent.position),
      reason: explainReason(reason),
    }));
  };
  const found = [
    ...clients.flatMap(({ sent, record: client }) => explain('clients', sent, client)),
    ...(record ? explain('cases', { row, position: 1 }, record) : []),
    ...matters.flatMap((matter) => explain('matters', { row: matter.row, position: 1 }, matter.record)),
  ];
  // Several records have the same cell.
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** The name of a field for which the sheet has no column. */
export const labelOf = (field: SpreadsheetField) => spreadsheetFields[field].label;
