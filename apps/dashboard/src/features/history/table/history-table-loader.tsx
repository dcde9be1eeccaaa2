import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { LoadFailure } from '../../../ui/states/load-failure.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import type { HistoryColumn } from '../view-choice.ts';

export interface HistoryTableLoaderProps {
  /** Undefined while they are on their way. */
  entries: HistoryEntry[] | undefined;
  category: HistoryCategory | undefined;
  since: string | undefined;
  hidden: HistoryColumn[];
  onHidden: (hidden: HistoryColumn[]) => void;
}

/** Brings the data grid, which is large, only to those who look at the table. */
export function HistoryTableLoader({ entries, category, ...rest }: HistoryTableLoaderProps) {
  const { data: parts, error } = useGrid();
  const wanted = useMemo(
    () => entries?.filter((entry) => category === undefined || entry.category === category),
    [entries, category],
  );
  if (error) {
    return (
      <LoadFailure
        what="The table"
        message="A part of this page did not arrive. Check your connection and try again."
        isTrying={false}
        // A browser does not fetch again what failed within a page; which view it was is kept.
        onRetry={() => window.location.reload()}
      />
    );
  }
  if (!parts || !wanted) {
    return (
      <div aria-busy="true">
        <Skeleton height={560} />
      </div>
    );
  }
  const { HistoryTable, edition } = parts;
  return <HistoryTable edition={edition} entries={wanted} {...rest} />;
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
