import { useCallback, useRef } from 'react';

/** Finds the row of a table that has the focus, for shortcuts that change it. */
export function useCurrentRow<Row>(rows: readonly Row[]) {
  const container = useRef<HTMLDivElement>(null);
  const current = useCallback((): Row | undefined => {
    const shown = [...(container.current?.querySelector('tbody')?.rows ?? [])];
    return rows[shown.findIndex((row) => row.contains(document.activeElement))];
  }, [rows]);
  return { container, current };
}
