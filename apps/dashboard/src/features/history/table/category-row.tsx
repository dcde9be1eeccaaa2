import { useStore } from '@keyturn/browser/store/create-store.ts';
import type { HistoryEntry } from '@keyturn/contract';
import type { ICellRendererParams } from 'ag-grid-community';
import { categoryOptions } from '../category-labels.ts';
import styles from './category-row.module.css';
import type { TableContext } from './history-columns.tsx';

/** The row of a category: its name, the number of its entries, and a button that opens or closes it. */
export function CategoryRow({ data, context }: ICellRendererParams<HistoryEntry, unknown, TableContext>) {
  const { groups } = context;
  const category = data?.category ?? 'case';
  const { count, isOpen } = useStore({ get: () => groups.get(category), subscribe: groups.subscribe });
  return (
    // biome-ignore lint/a11y/useSemanticElements: the grid’s rows are not those of a table.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid focuses the row, and its keys open and close the category.
    <div role="gridcell" className={styles.cell}>
      <button
        type="button"
        className={styles.toggle}
        // The grid is one tab stop.
        tabIndex={-1}
        aria-expanded={isOpen}
        onClick={() => groups.toggle(category)}
      >
        {categoryOptions.find(({ value }) => value === category)?.label}{' '}
        <small>{count === 1 ? '1 entry' : `${count} entries`}</small>
      </button>
    </div>
  );
}
