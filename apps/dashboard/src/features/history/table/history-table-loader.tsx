import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../../api/services/services.ts';
import type { HistoryColumn } from '../view-preference.ts';

export interface HistoryTableLoaderProps {
  /** Undefined while loading. */
  entries: HistoryEntry[] | undefined;
  category: HistoryCategory | undefined;
  since: string | undefined;
  hidden: HistoryColumn[];
  onHidden: (hidden: HistoryColumn[]) => void;
}

/** Loads the data grid, which is large, only when the client opens the table. */
export function HistoryTableLoader({ entries, category, ...rest }: HistoryTableLoaderProps) {
  const { data: grid, error } = useGrid();
  const shown = useMemo(
    () => entries?.filter((entry) => category === undefined || entry.category === category),
    [entries, category],
  );
  if (error) {
    return (
      <LoadFailure
        what="The table"
        message="Part of this page didn’t load. Check your connection and try again."
        isTrying={false}
        // Browsers do not retry a failed import within a page; the chosen view survives a reload.
        onRetry={() => window.location.reload()}
      />
    );
  }
  if (!grid || !shown) {
    return (
      <div aria-busy="true">
        <Skeleton height={560} />
      </div>
    );
  }
  const { HistoryTable, edition } = grid;
  return <HistoryTable edition={edition} entries={shown} {...rest} />;
}

function useGrid() {
  const { edition, licence_key } = useServices().config.data_grid;
  return useQuery({
    queryKey: ['data-grid', edition],
    queryFn: async () => {
      const [{ HistoryTable }, { openEdition }] = await Promise.all([
        import('./history-table.tsx'),
        edition === 'enterprise' ? import('./enterprise-edition.ts') : import('./community-edition.ts'),
      ]);
      return { HistoryTable, edition: openEdition(licence_key) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
}
