import type { MilestonePath, PathStage, PathStep } from '@keyturn/contract/staff';
import { fieldPath, moved, replaced, unusedId, without } from './entered-members.ts';

/** The form of a step. */
export interface EnteredStep extends Pick<PathStep, 'actor' | 'features'> {
  /** Stays the same while the step is edited and moved. */
  id: number;
  key: string;
  title: string;
  explanation: string;
  /** Working days. */
  from: string;
  to: string;
  /** Weeks after the instruction. */
  weeks_from: string;
  weeks_to: string;
}

/** The form of a stage, with its steps in the order in which clients see them. */
export interface EnteredStage extends PathStage {
  id: number;
  steps: EnteredStep[];
}

export type EnteredPath = EnteredStage[];

/** Fills the form. */
export const enteredPath = ({ stages, steps }: MilestonePath): EnteredPath => {
  const entered = steps.map(({ usual_working_days: days, usual_weeks: weeks, stage, ...step }, id) => ({
    stage,
    step: {
      ...step,
      id,
      from: textOf(days?.from),
      to: textOf(days?.to),
      weeks_from: textOf(weeks?.from),
      weeks_to: textOf(weeks?.to),
    },
  }));
  return stages.map((stage, index) => ({
    ...stage,
    id: steps.length + index,
    steps: entered.filter((each) => each.stage === index).map(({ step }) => step),
  }));
};

/** Reads the form. Invalid numbers become values that the server rejects with their field. */
export const toMilestonePath = (entered: EnteredPath): MilestonePath => ({
  stages: entered.map(({ title, key_moment }) => ({ title: title.trim(), key_moment })),
  steps: entered.flatMap(({ steps }, stage) =>
    steps.map(({ id: _id, from, to, weeks_from, weeks_to, ...step }) => ({
      ...step,
      stage,
      key: step.key.trim(),
      title: step.title.trim(),
      explanation: step.explanation.trim(),
      usual_working_days: rangeOf(from, to),
      usual_weeks: rangeOf(weeks_from, weeks_to),
    })),
  ),
});

/**
 * Whether usual times need a new check: their figures are more than twelve months old, or have no day.
 * @param day the day of the figures; empty for none
 * @param today in London
 */
export const isOldFigure = (day: string, today: string): boolean =>
  day < `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;

const idsIn = (path: EnteredPath) => path.flatMap((stage) => [stage, ...stage.steps]);

/** Adds a step at the end of a stage. */
export const withNewStep = (path: EnteredPath, stageId: number): EnteredPath =>
  path.map((stage) =>
    stage.id === stageId
      ? { ...stage, steps: [...stage.steps, { ...emptyStep, id: unusedId(idsIn(path)) }] }
      : stage,
  );

const emptyStep = {
  key: '',
  title: '',
  explanation: '',
  actor: 'us' as const,
  from: '',
  to: '',
  weeks_from: '',
  weeks_to: '',
};

/** Adds a stage without steps at the end. */
export const withNewStage = (path: EnteredPath): EnteredPath => [
  ...path,
  { id: unusedId(idsIn(path)), title: '', key_moment: false, steps: [] },
];

export const withStep = (path: EnteredPath, changed: EnteredStep): EnteredPath =>
  path.map((stage) => ({ ...stage, steps: replaced(stage.steps, changed) }));

export const withoutStep = (path: EnteredPath, id: number): EnteredPath =>
  path.map((stage) => ({ ...stage, steps: without(stage.steps, id) }));

/** Returns whether a step can move: within its stage, or over its edge into the next one. */
export function canMoveStep(path: EnteredPath, id: number, by: -1 | 1): boolean {
  const { at, place, steps } = findStep(path, id);
  return steps[place + by] !== undefined || path[at + by] !== undefined;
}

/** Moves a step up or down, if necessary into the previous or next stage. */
export function withMovedStep(path: EnteredPath, id: number, by: -1 | 1): EnteredPath {
  const { at, place, steps } = findStep(path, id);
  const step = steps[place];
  if (!step || !canMoveStep(path, id, by)) return path;
  const isWithin = steps[place + by] !== undefined;
  return path.map((stage, index) => {
    if (index === at) return { ...stage, steps: isWithin ? moved(steps, place, by) : without(steps, id) };
    if (isWithin || index !== at + by) return stage;
    return { ...stage, steps: by === 1 ? [step, ...stage.steps] : [...stage.steps, step] };
  });
}

function findStep(path: EnteredPath, id: number) {
  const at = path.findIndex(({ steps }) => steps.some((step) => step.id === id));
  const steps = path[at]?.steps ?? [];
  return { at, steps, place: steps.findIndex((step) => step.id === id) };
}

/** Finds the stage or the step that a field of the request belongs to; undefined for none. */
export function memberOfField(path: EnteredPath, field: string): EnteredStage | EnteredStep | undefined {
  const [, list, index] = fieldPath(field);
  if (list === 'stages') return path[Number(index)];
  return list === 'steps' ? path.flatMap(({ steps }) => steps)[Number(index)] : undefined;
}

/** Names what a field of the request belongs to: “Step 3”; undefined for neither a stage nor a step. */
export function placeInPath(path: EnteredPath, field: string): string | undefined {
  const member = memberOfField(path, field);
  if (!member) return undefined;
  return `${'steps' in member ? 'Stage' : 'Step'} ${Number(fieldPath(field)[2]) + 1}`;
}

const textOf = (count: number | undefined) => (count === undefined ? '' : String(count));

const rangeOf = (from: string, to: string) =>
  from.trim() === '' && to.trim() === '' ? null : { from: countOf(from), to: countOf(to) };

const countOf = (text: string) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : -1);
