import { Button } from '@keyturn/ui/base/button.tsx';
import { useRef } from 'react';
import type { HistoryColumn } from '../view-preference.ts';
import { columnTitles } from './entry-fields.ts';
import styles from './row-count.module.css';

export interface RowCountProps {
  shown: number;
  total: number;
  /** Hidden columns whose filter still applies. */
  hiddenFilters: readonly HistoryColumn[];
  onRemoveFilter: (column: HistoryColumn) => void;
}

/** Counts the rows, and names the filters of hidden columns, which the table’s headings do not show, to remove them. */
export function RowCount({ shown, total, hiddenFilters, onRemoveFilter }: RowCountProps) {
  const count = useRef<HTMLParagraphElement>(null);
  const titles = hiddenFilters.map((column) => `“${columnTitles[column]}”`);
  return (
    <div className={styles.line}>
      <p role="status" ref={count} tabIndex={-1}>
        {shown === total ? `${total} ${total === 1 ? 'entry' : 'entries'}` : `${shown} of ${total} entries`}
        {titles.length === 1 && `, filtered by ${titles[0]}, a hidden column`}
        {titles.length > 1 && `, filtered by ${titles.join(' and ')}, which are hidden columns`}
      </p>
      {hiddenFilters.map((column) => (
        <Button
          key={column}
          look="quiet"
          size="small"
          onClick={() => {
            onRemoveFilter(column);
            // This button disappears.
            count.current?.focus();
          }}
        >
          Remove the filter by “{columnTitles[column]}”
        </Button>
      ))}
    </div>
  );
}
