import type { CaseFilter, CaseView } from '@keyturn/contract/staff';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';

const viewsKey = ['case-views'] as const;

/** The pages of a list of cases that were requested so far. */
export const useCaseList = (filter: CaseFilter) =>
  useInfiniteQuery({
    queryKey: ['cases', filter],
    queryFn: ({ signal, pageParam }) =>
      callStaff('GET /staff/cases', {
        query: { ...filter, ...(pageParam === null ? {} : { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ has_more, cases }) => (has_more ? (cases.at(-1)?.cursor ?? null) : null),
    placeholderData: keepPreviousData,
    // A member who comes back from a case finds the same rows again, even after a long call.
    gcTime: 60 * 60_000,
    refetchOnWindowFocus: true,
    meta: { follows: 'cases' },
  });

/** The handlers and steps that cases can be filtered by. */
export const useCaseFilters = () =>
  useQuery({
    queryKey: ['case-filters'],
    queryFn: ({ signal }) => callStaff('GET /staff/case-filters', { signal }),
    staleTime: 5 * 60_000,
  });

/** The member’s saved views, and functions that change them. */
export function useCaseViews() {
  const queries = useQueryClient();
  const views = useQuery({
    queryKey: viewsKey,
    queryFn: ({ signal }) => callStaff('GET /staff/case-views', { signal }),
    staleTime: 60_000,
  });
  const refresh = () => queries.invalidateQueries({ queryKey: viewsKey });
  return {
    views: views.data ?? [],
    save: async (view: Pick<CaseView, 'name' | 'filter'>) => {
      await callStaff('POST /staff/case-views', { body: view });
      await refresh();
    },
    remove: async ({ id }: Pick<CaseView, 'id'>) => {
      await callStaff('DELETE /staff/case-views/{id}', { params: { id } });
      await refresh();
    },
  };
}
