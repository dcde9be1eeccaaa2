import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads which cases an event names.
 * @returns null if anything may have changed, and for content that this page does not understand
 */
export function casesOfEvent(content: unknown): string[] | null {
  const ids = (content as { ids?: unknown } | null)?.ids;
  if (!Array.isArray(ids) || ids.length === 0) return null;
  return ids.every((id) => typeof id === 'string') ? ids : null;
}

/**
 * Refetches the visible queries of these cases, and those that list cases, by their `meta.follows`. Other queries are
 * not refetched.
 * @param cases null for all cases
 */
export function refetchCases(queries: QueryClient, cases: readonly string[] | null): void {
  void queries.invalidateQueries({
    predicate: ({ meta }) => {
      const follows = meta?.follows;
      return (
        follows === 'cases' || (follows !== undefined && (cases === null || cases.includes(follows.caseId)))
      );
    },
  });
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The case whose changes refetch the query, or `cases` for changes of any case. */
      follows?: 'cases' | { caseId: string };
    };
  }
}
