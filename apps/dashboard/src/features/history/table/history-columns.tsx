import type { HistoryEntry } from '@keyturn/contract';
import { formatShortMoment } from '@keyturn/format/dates';
import type { ColDef, ICellRendererParams, ValueFormatterParams } from 'ag-grid-community';
import { Link } from '../../../navigation/link.tsx';
import { entryLink } from '../entry-link.ts';
import { NewBadge } from '../new-badge.tsx';
import { isNew } from '../new-entries/is-new.ts';
import type { HistoryColumn } from '../view-preference.ts';
import type { CategoryGroups } from './category-groups.ts';
import { columnTitles, compareInstants, compareWithDay, fieldText } from './entry-fields.ts';
import type { GridEdition } from './grid-edition.ts';

/** The data that cells need in addition to their entry. */
export interface TableContext {
  /** The `since` parameter of `isNew`. */
  since: string | undefined;
  groups: CategoryGroups;
}

type Definition = ColDef<HistoryEntry>;
type Cell = ICellRendererParams<HistoryEntry, string, TableContext>;

/** Returns the column definitions of the grid. */
export function columnDefinitions({
  columns,
  hidden,
  wordFilter,
  isGrouped,
  groupsRows,
  isNarrow,
}: {
  columns: readonly HistoryColumn[];
  hidden: HistoryColumn[];
  wordFilter: GridEdition['wordFilter'];
  /** Whether entries are grouped by category, which hides its column. */
  isGrouped: boolean;
  /** Whether the grid itself groups them. */
  groupsRows: boolean;
  /** Whether the screen is narrow; the summary then comes right after the time. */
  isNarrow: boolean;
}): Definition[] {
  const specifics: Record<HistoryColumn, Definition> = {
    when: {
      field: 'occurred_at',
      width: isNarrow ? 132 : 200,
      wrapText: isNarrow,
      autoHeight: isNarrow,
      initialSort: 'desc',
      sortingOrder: ['desc', 'asc'],
      comparator: compareInstants,
      valueFormatter: ({ value }: ValueFormatterParams<HistoryEntry, string>) =>
        value ? withNoBreakSpaces(formatShortMoment(value)) : '',
      getQuickFilterText: ({ value }) => formatShortMoment(value),
      filter: 'agDateColumnFilter',
      filterParams: {
        ...oneCondition,
        comparator: compareWithDay,
        filterOptions: ['equals', 'lessThan', 'greaterThan', 'inRange'],
      },
    },
    category: {
      filter: wordFilter,
      filterParams: oneCondition,
      width: 140,
      rowGroup: isGrouped && groupsRows,
    },
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
    link: { sortable: false, width: 180, cellRenderer: EntryLink },
  };
  const order = isNarrow
    ? [...columns].sort((a, b) => narrowOrder.indexOf(a) - narrowOrder.indexOf(b))
    : columns;
  return order.map(
    (column): Definition => ({
      colId: column,
      headerName: columnTitles[column],
      hide: isHidden(column, { hidden, isGrouped }),
      cellDataType: false,
      // The unsorted order is newest first too, so a third state would look like another sort.
      sortingOrder: ['asc', 'desc'],
      lockVisible: true,
      ...(column === 'when' ? {} : { valueGetter: ({ data }) => data && fieldText(data, column) }),
      ...specifics[column],
    }),
  );
}

/** Whether the table leaves out a column: the client has hidden it, or the groups have it as their headings. */
export const isHidden = (
  column: HistoryColumn,
  { hidden, isGrouped }: { hidden: readonly HistoryColumn[]; isGrouped: boolean },
): boolean => hidden.includes(column) || (isGrouped && column === 'category');

/** In a narrow column the text only breaks between the day and the time. */
const withNoBreakSpaces = (text: string) =>
  text
    .split(', ')
    .map((part) => part.replaceAll(' ', '\u00a0'))
    .join(', ');

/** A column filter has a single condition. */
const oneCondition = { maxNumConditions: 1 };

const narrowOrder: HistoryColumn[] = ['when', 'summary', 'category', 'actor', 'link'];

function Summary({ data, value, context }: Cell) {
  return (
    <>
      {data && isNew(data, context.since) && (
        <>
          <NewBadge />{' '}
        </>
      )}
      {value}
    </>
  );
}

function EntryLink({ data }: Cell) {
  const target = entryLink(data?.link ?? null);
  // The grid focuses the cell; Enter on it follows the link.
  return (
    target && (
      <Link to={target.path} tabIndex={-1}>
        {target.label}
      </Link>
    )
  );
}
