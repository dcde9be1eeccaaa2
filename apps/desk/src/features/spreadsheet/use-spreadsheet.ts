import type { Spreadsheet } from '@keyturn/contract/staff';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';

const keyOf = (id: string) => ['spreadsheet', id] as const;

export const isRunning = ({ state }: Pick<Spreadsheet, 'state'>) =>
  state === 'checking' || state === 'importing';

/** Reads an uploaded spreadsheet, and polls every second while it is checked or imported. */
export function useSpreadsheet(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) =>
      callStaff('GET /staff/spreadsheets/{id}', { params: { id }, signal, background: true }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? 1_000 : false),
  });
}

/** Returns a function that stores the answer of a call in the cache. */
export function useKeepSpreadsheet() {
  const queries = useQueryClient();
  return (spreadsheet: Spreadsheet) => queries.setQueryData(keyOf(spreadsheet.id), spreadsheet);
}

/** The address of the step that a spreadsheet is at. */
export function importStepPath({ id, state }: Pick<Spreadsheet, 'id' | 'state'>): string {
  const isImport = state === 'importing' || state === 'imported';
  return `/settings/import/${id}/${state === 'uploaded' ? 'columns' : isImport ? 'result' : 'check'}`;
}
