import type { HistoryEntry } from '@keyturn/contract';
import type { CaseFreshness } from '../../features/case/heading/freshness-line.tsx';

/** The parts of a query's state that show how fresh its data is. */
export interface QueryFreshness {
  /** When the data was last fetched, in milliseconds; 0 if never, although data from the last visit may be shown. */
  dataUpdatedAt: number;
  error: Error | null;
  /** Counts failed fetches. A retry without data clears `error`, but not this. */
  errorUpdateCount: number;
}

export interface CaseQueries {
  client: QueryFreshness;
  caseSearches: QueryFreshness;
  milestones: QueryFreshness;
  /** Null while the history is in maintenance. */
  newest: (QueryFreshness & { data: { data: Pick<HistoryEntry, 'occurred_at'>[] } | undefined }) | null;
  /** When the case was last updated, in ISO 8601. */
  updatedAt: string;
  /** In milliseconds; infinity while offline. Data fetched before may be out of date. */
  onlineSince: number;
}

/**
 * Derives the freshness of the case on the home page from the state of its queries.
 * @returns undefined until every query has succeeded or failed
 */
export function caseFreshness({
  updatedAt,
  onlineSince,
  newest,
  ...others
}: CaseQueries): CaseFreshness | undefined {
  const queries = [...Object.values(others), ...(newest ? [newest] : [])];
  if (queries.some((query) => query.dataUpdatedAt === 0 && !hasFailed(query))) return undefined;
  const mayBeOld = (query: QueryFreshness) => hasFailed(query) || query.dataUpdatedAt < onlineSince;
  return {
    isOutOfDate: queries.some(mayBeOld),
    // Without history entries, nothing has changed since the case itself.
    lastChange: newest?.data && !mayBeOld(newest) ? (newest.data.data[0]?.occurred_at ?? updatedAt) : null,
  };
}

const hasFailed = ({ dataUpdatedAt, error, errorUpdateCount }: QueryFreshness): boolean =>
  error !== null || (dataUpdatedAt === 0 && errorUpdateCount > 0);
