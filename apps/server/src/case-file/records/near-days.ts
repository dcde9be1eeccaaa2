import type { FeedList } from '@keyturn/contract';
import { addDays, dayParts, londonDay } from '@keyturn/format/london-time';
import type { InputProblem } from '../../platform/requests/find-problems.ts';
import { RecordRejected } from './rejected-record.ts';

/** Plans are near today, and what has happened is not in the future: other days are typing errors, most often of the year. */
type DayKind = 'plan' | 'done';

const dayKinds: Partial<Record<FeedList, Record<string, DayKind>>> = {
  cases: { cancellation_ends_on: 'plan' },
  matters: {
    target_exchange_on: 'plan',
    target_completion_on: 'plan',
    exchanged_on: 'done',
    completed_on: 'done',
    'ledger/on': 'done',
  },
  searches: {
    expected_on: 'plan',
    // Validity is checked against the day of the result, which can be long past.
    valid_until: 'plan',
    paid_at: 'done',
    ordered_at: 'done',
    returned_at: 'done',
  },
  documents: { shared_at: 'done', received_on: 'done' },
  tasks: { due_on: 'plan' },
  bills: { issued_on: 'done', due_on: 'plan' },
  history: { occurred_at: 'done' },
};

const milestoneDays: Record<string, DayKind> = {
  reached_on: 'done',
  waiting_since: 'done',
  expected_from: 'plan',
  expected_to: 'plan',
  next_update_by: 'plan',
};

/** Lists within records whose parts have days, with the field that identifies a part. */
const partsWithDays: Partial<
  Record<FeedList, { name: string; kinds: Record<string, DayKind>; key: string }>
> = {
  matters: { name: 'milestones', kinds: milestoneDays, key: 'key' },
  documents: { name: 'originals', kinds: { received_on: 'done' }, key: 'client' },
};

/** Statuses of records whose plans may be long past: those that are over, and bills, which have no status for it. */
const over = new Set(['completed', 'abandoned', 'done', 'not_needed', 'reviewed', 'cancelled', 'issued']);

const years = { past: 2, future: 10 } as const;

type Fields = Record<string, unknown>;

/**
 * Finds the days of a record that are likely typing errors: a plan more than 2 years ago or 10 years ahead, or something that
 * happened after tomorrow, which allows for time zones. A day that is stored already is accepted, because time passes.
 * @param record that its schema accepts
 * @param readStored returns the stored record; called if a day is unlikely
 */
export function findDayProblems(
  list: FeedList,
  record: object,
  { now, readStored }: { now: Date; readStored(): object | undefined },
): InputProblem[] {
  const kinds = dayKinds[list];
  if (!kinds) return [];
  const today = londonDay(now);
  const stored = () => readStored() as Fields | undefined;
  const fields = record as Fields;
  const isOver = over.has(String(fields.status));
  const found = findIn(fields, kinds, { today, isOver, former: stored });
  const parts = partsWithDays[list];
  if (!parts) return found;
  const { name, kinds: partKinds, key } = parts;
  for (const [index, part] of ((fields[name] ?? []) as Fields[]).entries()) {
    const problems = findIn(part, partKinds, {
      today,
      isOver: isOver || over.has(String(part.status)),
      former: () => (stored()?.[name] as Fields[] | undefined)?.find((other) => other[key] === part[key]),
    });
    for (const problem of problems) found.push({ ...problem, place: `/${name}/${index}${problem.place}` });
  }
  return found;
}

/** @throws RecordRejected for the days that `findDayProblems` finds */
export function assertNearDays(...checked: Parameters<typeof findDayProblems>): void {
  const [first, ...others] = findDayProblems(...checked);
  if (first) throw new RecordRejected(first.place, first.reason, others);
}

function findIn(
  fields: Fields,
  kinds: Record<string, DayKind>,
  { today, isOver, former }: { today: string; isOver: boolean; former(): Fields | undefined },
): InputProblem[] {
  const problems: InputProblem[] = [];
  for (const [field, kind] of Object.entries(kinds)) {
    const value = valueAt(fields, field);
    // The writer rejects an impossible timestamp.
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) continue;
    const day = field.endsWith('_at') ? londonDay(value) : value;
    const reason = kind === 'done' ? reasonOfDone(day, today) : reasonOfPlan(day, today, earliest(field));
    // Compares days, because timestamps are stored in another form.
    if (reason && String(valueAt(former(), field)).slice(0, 10) !== value.slice(0, 10))
      problems.push({ place: `/${field}`, reason });
  }
  return problems;

  function earliest(field: string): string {
    if (field === 'valid_until')
      return addYears(String(fields.returned_at ?? fields.ordered_at ?? today), -years.past);
    return isOver ? '' : addYears(today, -years.past);
  }
}

/** @param path the name of a field, or of a part of one: `ledger/on` */
const valueAt = (fields: Fields | undefined, path: string): unknown =>
  path.split('/').reduce<unknown>((value, name) => (value as Fields | null | undefined)?.[name], fields);

function reasonOfDone(day: string, today: string): string | null {
  if (day <= addDays(today, 1)) return null;
  return `${inWords(day)} is in the future.${suggestion(day, [-1, 0], today)}`;
}

function reasonOfPlan(day: string, today: string, earliest: string): string | null {
  if (day > addYears(today, years.future))
    return `${inWords(day)} is more than ${years.future} years ahead.${suggestion(day, [0, 1, 2], today)}`;
  if (day < earliest)
    return `${inWords(day)} is more than ${years.past} years ago.${suggestion(day, [0, 1, 2], today)}`;
  return null;
}

/** Suggests the same day of a near year, which differs by one digit or by the order of two. */
function suggestion(day: string, offsets: readonly number[], today: string): string {
  const written = day.slice(0, 4);
  const near = offsets
    .map((offset) => String(Number(today.slice(0, 4)) + offset))
    .filter((year) => isRealDay(year + day.slice(4)))
    .find((year) => differingDigits(year, written) === 1 || sortedDigits(year) === sortedDigits(written));
  return near ? ` Did you mean ${inWords(near + day.slice(4))}?` : ' Check the year.';
}

/** 29 February is in some years only. */
const isRealDay = (day: string) =>
  new Date(`${day.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(day.slice(0, 10));

const differingDigits = (left: string, right: string) =>
  [...left].filter((digit, position) => digit !== right[position]).length;
const sortedDigits = (year: string) => [...year].sort().join('');

/** Compared with days as text, so 29 February needs no care. */
const addYears = (day: string, count: number) => `${Number(day.slice(0, 4)) + count}${day.slice(4, 10)}`;

function inWords(day: string): string {
  const { date, month, year } = dayParts(day);
  return `${date} ${month} ${year}`;
}
