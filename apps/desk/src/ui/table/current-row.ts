import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Finds the row of a table that has the focus, for shortcuts that change it. When the focused row leaves the table, the
 * row that takes its place gets the focus.
 */
export function useCurrentRow<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const container = useRef<HTMLDivElement>(null);
  const last = useRef<{ key: string; position: number } | null>(null);
  const bodyRows = useCallback(() => [...(container.current?.querySelector('tbody')?.rows ?? [])], []);

  const current = (): Row | undefined => {
    const position = bodyRows().findIndex((row) => row.contains(document.activeElement));
    return rows[position];
  };

  useLayoutEffect(() => {
    const { activeElement } = document;
    const position = bodyRows().findIndex((row) => row.contains(activeElement));
    const row = rows[position];
    if (row) {
      last.current = { key: keyOf(row), position };
    } else if (last.current) {
      const { key, position: before } = last.current;
      const isGone = rows.length > 0 && !rows.some((shown) => keyOf(shown) === key);
      // The browser moves the focus of a removed element to the body.
      if (isGone && (activeElement === null || activeElement === document.body)) {
        last.current = null;
        bodyRows()[Math.min(before, rows.length - 1)]?.focus();
      }
    }
  });

  useLayoutEffect(() => {
    const remember = () => {
      const position = bodyRows().findIndex((row) => row.contains(document.activeElement));
      const row = rows[position];
      if (row) last.current = { key: keyOf(row), position };
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [rows, keyOf, bodyRows]);

  return { container, current };
}
