import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads which cases an event names.
 * @returns null if anything may have changed, also for content that this page does not understand
 */
export function casesOfEvent(content: unknown): string[] | null {
  const ids = (content as { ids?: unknown } | null)?.ids;
  if (!Array.isArray(ids) || ids.length === 0) return null;
  return ids.every((id) => typeof id === 'string') ? ids : null;
}

/**
 * Refetches what is shown of these cases: queries of one of them, and those that list cases. Queries say which by their
 * `meta.follows`; others are left alone.
 * @param cases null: of all cases
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
      /** The case whose changes refetch the query, or `cases` for those of any case. */
      follows?: 'cases' | { caseId: string };
    };
  }
}
