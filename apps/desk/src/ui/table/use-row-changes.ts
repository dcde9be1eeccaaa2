import { useEffect, useRef, useState } from 'react';

export interface FollowedRows<Row> {
  label: string;
  rows: readonly Row[] | undefined;
  keyOf(row: Row): string;
  /** Whether the rows belong to an earlier request. */
  isPlaceholder: boolean;
}

/** The announcement, with a number that differs each time, so that equal texts are announced twice. */
interface Announcement {
  text: string;
  count: number;
}

/**
 * Describes the changes of a table’s rows for screen readers, because neither a row that a colleague has dealt with
 * nor the result of a search has the focus.
 */
export function useRowChanges<Row>({ label, rows, keyOf, isPlaceholder }: FollowedRows<Row>): Announcement {
  const [announced, setAnnounced] = useState<Announcement>({ text: '', count: 0 });
  const before = useRef<{ label: string; rows: ReadonlyMap<string, Row> } | null>(null);
  const isOtherRequest = useRef(false);
  useEffect(() => {
    if (!rows) return;
    if (isPlaceholder) {
      isOtherRequest.current = true;
      return;
    }
    const after = new Map(rows.map((row) => [keyOf(row), row]));
    const { current: last } = before;
    const isOther = isOtherRequest.current || last?.label !== label;
    before.current = { label, rows: after };
    isOtherRequest.current = false;
    if (!last) return;
    const text = isOther ? describeCount(after.size) : describeRowChanges(last.rows, after);
    if (text !== '') setAnnounced(({ count }) => ({ text, count: count + 1 }));
  });
  return announced;
}

const describeCount = (count: number): string =>
  count === 0 ? 'Nothing is listed.' : count === 1 ? '1 row is listed.' : `${count} rows are listed.`;

/**
 * Counts the added, changed and removed rows.
 * @returns “2 rows added, 1 changed.”, or an empty text if nothing has changed
 */
export function describeRowChanges<Row>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): string {
  const entries = [...after];
  const counts = [
    { count: entries.filter(([key]) => !before.has(key)).length, verb: 'added' },
    { count: entries.filter(([key, row]) => isOther(before.get(key), row)).length, verb: 'changed' },
    { count: [...before.keys()].filter((key) => !after.has(key)).length, verb: 'removed' },
  ].filter(({ count }) => count > 0);
  const [first, ...others] = counts;
  if (!first) return '';
  const noun = first.count === 1 ? 'row' : 'rows';
  return `${[`${first.count} ${noun} ${first.verb}`, ...others.map(({ count, verb }) => `${count} ${verb}`)].join(', ')}.`;
}

/** Compares contents, because a row that moves in its list can be a different object. */
const isOther = <Row>(before: Row | undefined, after: Row): boolean =>
  before !== undefined && before !== after && JSON.stringify(before) !== JSON.stringify(after);
