import type { HistoryEntry } from '@keyturn/contract';
import type { CaseFreshness } from '../../features/case/heading/case-heading.tsx';

/** Of a reading, what tells how fresh it is; as the query client keeps it. */
export interface QueryFreshness {
  /** Milliseconds; 0: never read, though something from the last visit may be shown. */
  dataUpdatedAt: number;
  error: Error | null;
  /** A reading without an answer is tried again as if it were the first; this still counts the failures before. */
  errorUpdateCount: number;
}

export interface CaseQueries {
  client: QueryFreshness;
  caseSearches: QueryFreshness;
  milestones: QueryFreshness;
  /** Null while the history is in maintenance. */
  newest: (QueryFreshness & { data: { data: Pick<HistoryEntry, 'occurred_at'>[] } | undefined }) | null;
  /** ISO 8601: of the case. */
  updatedAt: string;
  /** Milliseconds, infinity while offline: what was read before may be out of date. */
  onlineSince: number;
}

/** @returns undefined until every part has been read, or has failed */
export function caseFreshness({
  updatedAt,
  onlineSince,
  newest,
  ...others
}: CaseQueries): CaseFreshness | undefined {
  const all = [...Object.values(others), ...(newest ? [newest] : [])];
  if (all.some((reading) => reading.dataUpdatedAt === 0 && !hasFailed(reading))) return undefined;
  const mayBeOld = (reading: QueryFreshness) => hasFailed(reading) || reading.dataUpdatedAt < onlineSince;
  return {
    isOutOfDate: all.some(mayBeOld),
    // A history without entries: the case stands as it was opened.
    lastChange: newest?.data && !mayBeOld(newest) ? (newest.data.data[0]?.occurred_at ?? updatedAt) : null,
  };
}

const hasFailed = ({ dataUpdatedAt, error, errorUpdateCount }: QueryFreshness): boolean =>
  error !== null || (dataUpdatedAt === 0 && errorUpdateCount > 0);
