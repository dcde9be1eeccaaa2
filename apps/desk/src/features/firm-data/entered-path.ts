import type { MilestonePath, PathStation, PathStep } from '@keyturn/contract/staff';

/** A step as it is typed. */
export interface EnteredStep {
  /** Stays the same while the step is edited and moved. */
  id: number;
  key: string;
  title: string;
  explanation: string;
  actor: PathStep['actor'];
  station: number;
  /** Working days. */
  from: string;
  to: string;
  /** Weeks after the instruction. */
  weeks_from: string;
  weeks_to: string;
}

export interface EnteredPath {
  stations: PathStation[];
  steps: EnteredStep[];
}

/** Fills the form. */
export const enteredPath = ({ stations, steps }: MilestonePath): EnteredPath => ({
  stations,
  steps: steps.map(({ usual_working_days: days, usual_weeks: weeks, ...step }, id) => ({
    ...step,
    id,
    from: textOf(days?.from),
    to: textOf(days?.to),
    weeks_from: textOf(weeks?.from),
    weeks_to: textOf(weeks?.to),
  })),
});

/** Reads the form. What is no number becomes one that the server refuses, with the place. */
export const toMilestonePath = ({ stations, steps }: EnteredPath): MilestonePath => ({
  stations: stations.map(({ title, key_moment }) => ({ title: title.trim(), key_moment })),
  steps: steps.map(({ id: _id, from, to, weeks_from, weeks_to, ...step }) => ({
    ...step,
    key: step.key.trim(),
    title: step.title.trim(),
    explanation: step.explanation.trim(),
    usual_working_days: rangeOf(from, to),
    usual_weeks: rangeOf(weeks_from, weeks_to),
  })),
});

/** Adds a step at the end of the last station. */
export const withNewStep = ({ stations, steps }: EnteredPath): EnteredPath => ({
  stations,
  steps: [
    ...steps,
    {
      id: 1 + Math.max(-1, ...steps.map(({ id }) => id)),
      key: '',
      title: '',
      explanation: '',
      actor: 'us',
      station: stations.length - 1,
      from: '',
      to: '',
      weeks_from: '',
      weeks_to: '',
    },
  ],
});

const textOf = (count: number | undefined) => (count === undefined ? '' : String(count));

const rangeOf = (from: string, to: string) =>
  from.trim() === '' && to.trim() === '' ? null : { from: countOf(from), to: countOf(to) };

const countOf = (text: string) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : -1);
