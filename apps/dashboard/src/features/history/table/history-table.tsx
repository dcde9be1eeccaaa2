import { useMedia } from '@keyturn/ui/hooks/use-media.ts';
import './grid-styles.css';
import type { HistoryEntry } from '@keyturn/contract';
import { toCsv } from '@keyturn/format/csv';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import type { GridApi } from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useId, useMemo, useRef, useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { type HistoryColumn, historyColumns } from '../view-preference.ts';
import { type CategoryGroups, categoryRows, isCategoryRow } from './category-groups.ts';
import { CategoryRow } from './category-row.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { columnTitles, fieldText } from './entry-fields.ts';
import type { GridEdition } from './grid-edition.ts';
import { gridIcons } from './grid-icons.ts';
import { columnDefinitions, isHidden, type TableContext } from './history-columns.tsx';
import styles from './history-table.module.css';
import { RowCount } from './row-count.tsx';
import { isCategoryNode, toggleCategory, useCategoryGroups } from './use-category-groups.ts';

export interface HistoryTableProps {
  edition: GridEdition;
  /** Newest first. */
  entries: HistoryEntry[];
  /** The `since` parameter of `isNew`. */
  since: string | undefined;
  hidden: HistoryColumn[];
  onHidden: (hidden: HistoryColumn[]) => void;
}

/** The case history as a data grid to sort, filter and download. */
export function HistoryTable({ edition, entries, since, hidden, onHidden }: HistoryTableProps) {
  const { demonstration: isDemonstration } = useServices().config;
  const grid = useRef<AgGridReact<HistoryEntry>>(null);
  const [search, setSearch] = useState('');
  const [isGrouped, setGrouped] = useState(false);
  const [shownCount, setShownCount] = useState(entries.length);
  /** The ids of the columns that have a filter. */
  const [filtered, setFiltered] = useState<string[]>([]);
  const hasLinks = entries.some(({ link }) => link !== null);
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => historyColumns.filter((column) => column !== 'link' || hasLinks), [hasLinks]);
  const definitions = useMemo(
    () => columnDefinitions({ ...edition, columns, hidden, isGrouped, isNarrow }),
    [columns, hidden, edition, isGrouped, isNarrow],
  );
  const groups = useCategoryGroups(() => grid.current?.api);
  const context = useMemo((): TableContext => ({ since, groups }), [since, groups]);
  const hasCategoryRows = isGrouped && !edition.groupsRows;
  const rows = useMemo(
    () => (hasCategoryRows ? [...categoryRows, ...entries] : entries),
    [hasCategoryRows, entries],
  );

  return (
    <div>
      <div className={styles.tools}>
        <Search value={search} onChange={setSearch} />
        <ColumnChooser columns={columns} hidden={hidden} onHidden={onHidden} />
        <Downloads
          edition={edition}
          getApi={() => grid.current?.api}
          isGrouped={isGrouped}
          groups={hasCategoryRows ? groups : null}
        />
        <Checkbox
          className={styles.group}
          label="Group by category"
          checked={isGrouped}
          onChange={({ target }) => setGrouped(target.checked)}
        />
      </div>
      <RowCount
        shown={shownCount}
        total={entries.length}
        hiddenFilters={columns.filter(
          (column) => filtered.includes(column) && isHidden(column, { hidden, isGrouped }),
        )}
        onRemoveFilter={(column) => void removeFilter(grid.current?.api, column)}
      />
      <div
        className={`ag-theme-quartz ${styles.grid}`}
        data-demonstration={isDemonstration || undefined}
        data-few={entries.length <= maxRowsWithoutScrolling || undefined}
      >
        <AgGridReact<HistoryEntry>
          {...edition.options}
          ref={grid}
          // Uses the style sheets of this folder; otherwise the grid injects its own.
          theme="legacy"
          modules={edition.modules}
          rowData={rows}
          getRowId={({ data }) => data.id}
          columnDefs={definitions}
          context={context}
          quickFilterText={search}
          icons={gridIcons}
          localeText={localeText}
          domLayout={entries.length <= maxRowsWithoutScrolling ? 'autoHeight' : 'normal'}
          rowHeight={48}
          headerHeight={48}
          rowBuffer={30}
          ensureDomOrder
          suppressDragLeaveHidesColumns
          suppressColumnMoveAnimation
          // The grid is one tab stop, as in the ARIA grid pattern; the arrow keys move within it.
          tabToNextCell={() => false}
          tabToNextHeader={() => false}
          onGridReady={({ api }) => api.setGridAriaProperty('label', 'Case history')}
          onFilterChanged={({ api }) => setFiltered(Object.keys(api.getFilterModel()))}
          onModelUpdated={({ api }) => setShownCount(countEntries(api))}
          onCellKeyDown={({ event, data }) => {
            if (data && isCategoryRow(data)) toggleCategory(groups, data.category, event);
            else followLink(event);
          }}
          alwaysPassFilter={isCategoryNode}
          isFullWidthRow={({ rowNode }) => isCategoryNode(rowNode)}
          fullWidthCellRenderer={CategoryRow}
          {...(hasCategoryRows ? { postSortRows: ({ nodes }) => groups.arrange(nodes) } : {})}
        />
      </div>
    </div>
  );
}

interface DownloadsProps {
  edition: GridEdition;
  getApi(): GridApi<HistoryEntry> | undefined;
  isGrouped: boolean;
  /** The rows of categories; null unless they are shown. */
  groups: CategoryGroups | null;
}

function Downloads({ edition, getApi, isGrouped, groups }: DownloadsProps) {
  const downloadCsv = () => {
    const api = getApi();
    if (!api) return;
    const csv = new Blob([exportCsv(api, isGrouped, groups)], { type: 'text/csv;charset=utf-8' });
    saveFile(csv, 'case-history.csv');
  };
  const downloadSpreadsheet = () => {
    const api = getApi();
    if (api) edition.saveSpreadsheet?.(api, 'case-history.xlsx');
  };
  return (
    <>
      <Button look="quiet" size="small" onClick={downloadCsv}>
        Download (CSV)
      </Button>
      {edition.saveSpreadsheet && (
        <Button look="quiet" size="small" onClick={downloadSpreadsheet}>
          Download (Excel)
        </Button>
      )}
    </>
  );
}

/** Whether the screen has room for only two columns; the others are reached by scrolling. */
const useIsNarrow = () => useMedia('(max-width: 640px)');

/** Up to this many rows are shown without a scroll bar. */
const maxRowsWithoutScrolling = 12;

const localeText = {
  noRowsToShow: 'No entries to show',
  noMatchingRows: 'No entries match. Change or clear your search and the filters of the columns.',
  filterOoo: 'Find…',
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

async function removeFilter(api: GridApi<HistoryEntry> | undefined, column: HistoryColumn): Promise<void> {
  await api?.setColumnFilterModel(column, null);
  api?.onFilterChanged();
}

/** Follows the link in a cell when the client presses Enter on it. */
function followLink(event: Event | null | undefined): void {
  if (!(event instanceof KeyboardEvent) || event.key !== 'Enter') return;
  if (event.target instanceof HTMLElement) event.target.querySelector('a')?.click();
}

/** Exports the visible columns and rows in their current order. */
function exportCsv(api: GridApi<HistoryEntry>, isGrouped: boolean, groups: CategoryGroups | null): string {
  const displayed = api.getAllDisplayedColumns().map((column) => column.getColId());
  // A group’s category is a heading in the grid, and a column of every row in the file.
  const columns = [...(isGrouped ? ['category'] : []), ...displayed].flatMap(
    (id) => historyColumns.find((known) => known === id) ?? [],
  );
  const rows = [columns.map((column) => columnTitles[column])];
  const addRow = (entry: HistoryEntry) => rows.push(columns.map((column) => fieldText(entry, column)));
  if (groups) for (const entry of groups.entries()) addRow(entry);
  else {
    api.forEachNodeAfterFilterAndSort(({ data }) => {
      if (data) addRow(data);
    });
  }
  return toCsv(rows);
}

function countEntries(api: GridApi<HistoryEntry>): number {
  let count = 0;
  api.forEachNodeAfterFilter(({ data }) => {
    if (data && !isCategoryRow(data)) count += 1;
  });
  return count;
}
