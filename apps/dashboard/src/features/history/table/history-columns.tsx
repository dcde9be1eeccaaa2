import type { HistoryEntry } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import type { ColDef, ICellRendererParams, ValueFormatterParams } from 'ag-grid-community';
import { entryLink } from '../entry-link.ts';
import { isNew } from '../new-entries/is-new.ts';
import type { HistoryColumn } from '../view-choice.ts';
import { columnTitles, compareInstants, compareWithDay, fieldText, whenText } from './entry-fields.ts';
import type { GridEdition } from './grid-edition.ts';
import styles from './history-table.module.css';

/** What cells need beside their entry. */
export interface TableContext {
  /** As `isNew` takes it. */
  since: string | undefined;
}

type Definition = ColDef<HistoryEntry>;
type Cell = ICellRendererParams<HistoryEntry, string, TableContext>;

/** The columns as the grid takes them. */
export function columnDefinitions({
  columns,
  hidden,
  wordFilter,
  isGrouped,
  isNarrow,
}: {
  columns: readonly HistoryColumn[];
  hidden: HistoryColumn[];
  wordFilter: GridEdition['wordFilter'];
  /** Entries stand under their category, which then needs no column. */
  isGrouped: boolean;
  /** What happened then stands beside when. */
  isNarrow: boolean;
}): Definition[] {
  const own: Record<HistoryColumn, Definition> = {
    when: {
      field: 'occurred_at',
      width: isNarrow ? 132 : 200,
      wrapText: isNarrow,
      autoHeight: isNarrow,
      initialSort: 'desc',
      // Without a sort the newest are first as well: every press is to show.
      sortingOrder: ['desc', 'asc'],
      comparator: compareInstants,
      valueFormatter: ({ value }: ValueFormatterParams<HistoryEntry, string>) =>
        value ? unbroken(whenText(value)) : '',
      getQuickFilterText: ({ value }) => whenText(value),
      filter: 'agDateColumnFilter',
      filterParams: {
        ...oneCondition,
        comparator: compareWithDay,
        filterOptions: ['equals', 'lessThan', 'greaterThan', 'inRange'],
      },
    },
    category: { filter: wordFilter, filterParams: oneCondition, width: 140, rowGroup: isGrouped },
    actor: { filter: wordFilter, filterParams: oneCondition, width: 210 },
    summary: {
      filter: 'agTextColumnFilter',
      filterParams: oneCondition,
      flex: 1,
      minWidth: isNarrow ? 210 : 260,
      wrapText: true,
      autoHeight: true,
      cellRenderer: Summary,
    },
    link: { sortable: false, width: 180, cellRenderer: Way },
  };
  const order = isNarrow
    ? [...columns].sort((one, other) => narrowOrder.indexOf(one) - narrowOrder.indexOf(other))
    : columns;
  return order.map(
    (column): Definition => ({
      colId: column,
      headerName: columnTitles[column],
      hide: hidden.includes(column) || (isGrouped && column === 'category'),
      cellDataType: false,
      lockVisible: true,
      ...(column === 'when' ? {} : { valueGetter: ({ data }) => data && fieldText(data, column) }),
      ...own[column],
    }),
  );
}

/** Where there is no room for all of it, the day stays in one piece, and so does the time. */
const unbroken = (text: string) =>
  text
    .split(', ')
    .map((part) => part.replaceAll(' ', '\u00a0'))
    .join(', ');

/** One thing to look for in a column. */
const oneCondition = { maxNumConditions: 1 };

const narrowOrder: HistoryColumn[] = ['when', 'summary', 'category', 'actor', 'link'];

function Summary({ data, value, context }: Cell) {
  return (
    <>
      {data && isNew(data, context.since) && (
        <>
          <strong className={styles.new}>New</strong>{' '}
        </>
      )}
      {value}
    </>
  );
}

function Way({ data }: Cell) {
  const target = entryLink(data?.link ?? null);
  // The cell itself has the focus; Enter follows the link.
  return (
    target && (
      <Link to={target.path} tabIndex={-1}>
        {target.words}
      </Link>
    )
  );
}
