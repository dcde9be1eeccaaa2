import './grid-styles.css';
import type { HistoryEntry } from '@keyturn/contract';
import type { GridApi } from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { Checkbox } from '../../../ui/base/field.tsx';
import { saveFile } from '../../../ui/files/save-file.ts';
import { type HistoryColumn, historyColumns } from '../view-choice.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { csvFile } from './csv-file.ts';
import { columnTitles, fieldText } from './entry-fields.ts';
import type { GridEdition } from './grid-edition.ts';
import { gridIcons } from './grid-icons.ts';
import { columnDefinitions, type TableContext } from './history-columns.tsx';
import styles from './history-table.module.css';

export interface HistoryTableProps {
  edition: GridEdition;
  /** Newest first. */
  entries: HistoryEntry[];
  /** As `isNew` takes it. */
  since: string | undefined;
  hidden: HistoryColumn[];
  onHidden: (hidden: HistoryColumn[]) => void;
}

/** The history as a data grid: to sort, to filter, to take away. */
export function HistoryTable({ edition, entries, since, hidden, onHidden }: HistoryTableProps) {
  const grid = useRef<AgGridReact<HistoryEntry>>(null);
  const [search, setSearch] = useState('');
  const [isGrouped, setGrouped] = useState(false);
  const [shown, setShown] = useState(entries.length);
  const hasLinks = entries.some(({ link }) => link !== null);
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => historyColumns.filter((column) => column !== 'link' || hasLinks), [hasLinks]);
  const definitions = useMemo(
    () => columnDefinitions({ columns, hidden, wordFilter: edition.wordFilter, isGrouped, isNarrow }),
    [columns, hidden, edition, isGrouped, isNarrow],
  );
  const context = useMemo((): TableContext => ({ since }), [since]);

  return (
    <div className={styles.table}>
      <div className={styles.tools}>
        <Search value={search} onChange={setSearch} />
        <ColumnChooser columns={columns} hidden={hidden} onHidden={onHidden} />
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            if (grid.current)
              saveFile(
                new Blob([asCsv(grid.current.api, isGrouped)], { type: 'text/csv;charset=utf-8' }),
                'case-history.csv',
              );
          }}
        >
          Download (CSV)
        </Button>
        {edition.saveSpreadsheet && (
          <Button
            look="quiet"
            size="small"
            onClick={() => {
              if (grid.current) edition.saveSpreadsheet?.(grid.current.api, 'case-history.xlsx');
            }}
          >
            Download (Excel)
          </Button>
        )}
        {edition.canGroup && (
          <Checkbox
            className={styles.group}
            label="Group by category"
            checked={isGrouped}
            onChange={({ target }) => setGrouped(target.checked)}
          />
        )}
      </div>
      <p className={styles.count} role="status">
        {shown === entries.length
          ? `${shown} ${shown === 1 ? 'entry' : 'entries'}`
          : `${shown} of ${entries.length} entries`}
      </p>
      <div className={`ag-theme-quartz ${styles.grid}`} data-few={entries.length <= fewRows || undefined}>
        <AgGridReact<HistoryEntry>
          {...edition.options}
          ref={grid}
          // The style sheets of this folder; without this the grid writes its own into the page.
          theme="legacy"
          modules={edition.modules}
          rowData={entries}
          getRowId={({ data }) => data.id}
          columnDefs={definitions}
          context={context}
          quickFilterText={search}
          icons={gridIcons}
          localeText={words}
          domLayout={entries.length <= fewRows ? 'autoHeight' : 'normal'}
          rowHeight={48}
          headerHeight={48}
          rowBuffer={30}
          ensureDomOrder
          suppressDragLeaveHidesColumns
          suppressColumnMoveAnimation
          // One stop for the tabulator, as a grid should be: the arrows move within it.
          tabToNextCell={() => false}
          tabToNextHeader={() => false}
          onGridReady={({ api }) => api.setGridAriaProperty('label', 'Case history')}
          onModelUpdated={({ api }) => setShown(countEntries(api))}
          onCellKeyDown={({ event }) => followLink(event)}
        />
      </div>
    </div>
  );
}

/** There is room for two columns: when, and what happened. The others are a swipe away. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}

const narrow = window.matchMedia('(max-width: 640px)');

/** So many rows stand without a scroll bar of their own. */
const fewRows = 12;

const words = {
  noRowsToShow: 'No entries to show',
  noMatchingRows: 'No entry matches. Change or clear what you look for.',
  filterOoo: 'Look for…',
  blank: 'Empty',
  notBlank: 'Not empty',
};

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className={styles.search}>
      <label htmlFor={id}>Find</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Enter on a cell follows the link in it. */
function followLink(event: Event | null | undefined): void {
  if (!(event instanceof KeyboardEvent) || event.key !== 'Enter') return;
  if (event.target instanceof HTMLElement) event.target.querySelector('a')?.click();
}

/** What the table shows at this moment: its columns, its rows, in their order. */
function asCsv(api: GridApi<HistoryEntry>, isGrouped: boolean): string {
  const displayed = api.getAllDisplayedColumns().map((column) => column.getColId());
  // What stands above the rows of a group stands in each of them.
  const columns = [...(isGrouped ? ['category'] : []), ...displayed].flatMap(
    (id) => historyColumns.find((known) => known === id) ?? [],
  );
  const rows = [columns.map((column) => columnTitles[column])];
  api.forEachNodeAfterFilterAndSort(({ data }) => {
    if (data) rows.push(columns.map((column) => fieldText(data, column)));
  });
  return csvFile(rows);
}

function countEntries(api: GridApi<HistoryEntry>): number {
  let count = 0;
  api.forEachNodeAfterFilter(({ data }) => {
    if (data) count += 1;
  });
  return count;
}
