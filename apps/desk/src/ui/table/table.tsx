import { classNames } from '@keyturn/ui/base/class-names.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import type { ReactNode } from 'react';
import { errorText } from '../../api/client/staff-error.ts';
import styles from './table.module.css';
import { useRovingRows } from './use-roving-rows.ts';
import { useRowChanges } from './use-row-changes.ts';

export interface Column<Row> {
  /** Unique in the table; `sort` refers to it. */
  key: string;
  heading: string;
  cell(row: Row): ReactNode;
  /** The cell in the last row, below all others, of a table with totals. */
  total?(rows: readonly Row[]): ReactNode;
  /** Whether the column names the row, which exactly one column of a table does. */
  isRowHeader?: boolean;
  /** The direction that the first press sorts by. Without it, the column cannot be sorted. */
  sorts?: SortDirection;
  /** `end` for amounts and counts. */
  align?: 'end';
  /** A heading for screen readers only: of a column with buttons. */
  isHeadingHidden?: boolean;
}

export type SortDirection = 'ascending' | 'descending';

export interface Sort {
  key: string;
  direction: SortDirection;
}

/** The parts of a TanStack Query result that a table shows. */
export interface TableQuery<Row> {
  data: readonly Row[] | undefined;
  error: unknown;
  isFetching: boolean;
  /** Whether the rows belong to an earlier request, such as the page before. */
  isPlaceholderData?: boolean;
  refetch(): unknown;
}

export interface TableProps<Row> {
  /** The label of the table, for screen readers and messages: “Staff members”. */
  label: string;
  columns: readonly Column<Row>[];
  query: TableQuery<Row>;
  keyOf(row: Row): string;
  /** Shown instead of the table when there are no rows: an `EmptyState`. */
  empty: ReactNode;
  /** The rows that are shown in place of the first answer, 5 by default. About as many as usual keep the page still. */
  waitingRows?: number;
  /** Opens a row, on Enter or a click on it. The row header should contain a link or a button that does the same. */
  onOpen?: (row: Row) => void;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** Whether `j` and `k` move into this table from elsewhere on the page. At most one on a page. */
  isMain?: boolean;
  /** Whether screen readers announce changes of the rows, for lists that are searched, or that others change. */
  announcesChanges?: boolean;
}

/**
 * A list as a table: real headers, sortable columns, one tab stop. `j` and `k` or the arrow keys move between rows, Enter
 * opens one, Tab reaches the controls of the current row. Shows its own loading, failed and empty states.
 */
export const Table = <Row,>(props: TableProps<Row>) => (
  <>
    {props.announcesChanges && <RowChanges {...props} />}
    <TableOrState {...props} />
  </>
);

/** Always rendered, even when the table is empty, so that screen readers announce its content. */
function RowChanges<Row>({ label, query, keyOf }: TableProps<Row>) {
  const { data: rows, isPlaceholderData = false } = query;
  const { text, count } = useRowChanges({ label, rows, keyOf, isPlaceholder: isPlaceholderData });
  return (
    <p className={styles.caption} role="status">
      <span key={count}>{text}</span>
    </p>
  );
}

function TableOrState<Row>(props: TableProps<Row>) {
  const { label, columns, query, empty } = props;
  const { data: rows, error } = query;
  if (error && !rows) {
    return (
      <div className={styles.state}>
        <LoadFailure
          what={label}
          message={errorText(error)}
          onRetry={() => void query.refetch()}
          isTrying={query.isFetching}
        />
      </div>
    );
  }
  if (rows?.length === 0) return <>{empty}</>;
  return (
    <div className={styles.frame}>
      {error !== null && error !== undefined && rows && (
        <LoadFailure
          what={`The latest ${label.toLowerCase()}`}
          message={errorText(error)}
          onRetry={() => void query.refetch()}
          isTrying={query.isFetching}
        />
      )}
      <table className={classNames(styles.table, query.isPlaceholderData && styles.stale)} aria-busy={!rows}>
        <caption className={styles.caption}>{rows ? label : `${label}: loading`}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        {rows ? (
          <>
            <Rows {...props} rows={rows} />
            {columns.some(({ total }) => total) && <Totals columns={columns} rows={rows} />}
          </>
        ) : (
          <WaitingRows columns={columns.length} count={props.waitingRows} />
        )}
      </table>
    </div>
  );
}

function Heading<Row>({
  column: { key, heading, sorts, align, isHeadingHidden },
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const direction = sort?.key === key ? sort.direction : undefined;
  const className = align === 'end' ? styles.end : undefined;
  if (!sorts || !onSort) {
    return (
      <th scope="col" className={className}>
        {isHeadingHidden ? <span className={styles.caption}>{heading}</span> : heading}
      </th>
    );
  }
  const next = direction === undefined ? sorts : direction === 'ascending' ? 'descending' : 'ascending';
  return (
    <th scope="col" className={className} aria-sort={direction ?? 'none'}>
      <button type="button" className={styles.sort} onClick={() => onSort({ key, direction: next })}>
        {heading}
        <SortMark direction={direction} />
      </button>
    </th>
  );
}

function SortMark({ direction }: { direction: SortDirection | undefined }) {
  return (
    <svg width="8" height="10" viewBox="0 0 8 10" fill="currentColor" aria-hidden="true">
      {direction !== 'descending' && <path d="M4 0 7.5 4h-7z" />}
      {direction !== 'ascending' && <path d="M4 10 .5 6h7z" />}
    </svg>
  );
}

function Rows<Row>({
  label,
  rows,
  columns,
  keyOf,
  onOpen,
  isMain = false,
}: TableProps<Row> & { rows: readonly Row[] }) {
  const { body, rowProps } = useRovingRows({ label, rows, keyOf, onOpen, isMain });
  return (
    <tbody ref={body}>
      {rows.map((row) => (
        <tr key={keyOf(row)} className={styles.row} {...rowProps(row)}>
          {columns.map((column) => (
            <Cell key={column.key} column={column} row={row} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Totals<Row>({ columns, rows }: { columns: readonly Column<Row>[]; rows: readonly Row[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ key, heading, align, isRowHeader, total }) =>
          isRowHeader ? (
            <th key={key} scope="row">
              Total
            </th>
          ) : (
            <td
              key={key}
              className={align === 'end' ? styles.end : undefined}
              data-heading={total ? heading : undefined}
            >
              {total?.(rows)}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = column.align === 'end' ? styles.end : undefined;
  if (column.isRowHeader) {
    return (
      <th scope="row" className={className}>
        {column.cell(row)}
      </th>
    );
  }
  const heading = column.isHeadingHidden ? undefined : column.heading;
  return (
    <td className={className} data-heading={heading}>
      {column.cell(row)}
    </td>
  );
}

function WaitingRows({ columns, count = 5 }: { columns: number; count: number | undefined }) {
  return (
    <tbody>
      {Array.from({ length: count }, (_, row) => row).map((row) => (
        <tr key={row}>
          <td colSpan={columns}>
            <Skeleton width="60%" />
          </td>
        </tr>
      ))}
    </tbody>
  );
}
