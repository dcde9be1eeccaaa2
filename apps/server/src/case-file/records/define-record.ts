import type { FeedList, FeedRecord } from '@keyturn/contract';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { AuditSubjectKind } from '../../platform/audit/audit-entry.ts';
import { RecordRejected } from './rejected-record.ts';

/** How one field of a record is read, written, compared and audited. */
export interface RecordField {
  /** The value as JSON, of the row and of the rows that the record joins. */
  read: SQL;
  /** The field of the Drizzle table that stores it; undefined if the writer of the record stores it. */
  column?: string;
  /** Converts the value that was sent, undefined for a field that was left out, to the one that is stored. */
  toStored?: (value: never, field: string) => unknown;
  /** Converts values that are stored alike to one form; undefined for one that equals leaving the field out. */
  normalise?: (value: never) => unknown;
  /** Whether the audit log contains it. It has only hashes of other texts, because they can name people. */
  isAudited?: boolean;
  /** The list of the records that it names by their references. */
  refersTo?: FeedList;
}

/** A table whose rows the case feed sends. */
type RecordTable = PgTable & {
  id: AnyPgColumn<{ data: string; notNull: true }>;
  reference: AnyPgColumn<{ data: string }>;
  feedHash: AnyPgColumn<{ data: Buffer }>;
  feedSentAt: AnyPgColumn<{ data: Date }>;
};

type FieldsOf<Sent extends object> = {
  [Field in Exclude<keyof Sent, 'reference'>]-?: RecordField;
};

/**
 * The one description of a record: each field of the contract with its column. A field that is missing here is a type
 * error.
 */
export interface RecordDefinition<List extends FeedList = FeedList> {
  table: RecordTable;
  /** The audit log’s name for the record. */
  auditedAs: AuditSubjectKind;
  /** The id of the case or matter that contains it; null without one. */
  parent: SQL | null;
  /** The id of its case; null for a client. */
  caseId: SQL | null;
  /** Reads the rows `r` with the rows that the fields need. */
  from: SQL;
  fields: FieldsOf<FeedRecord<List>>;
}

/** The columns of a record that are stored as they were sent, with the types of their table. */
type StoredColumns<Table extends PgTable, Fields> = {
  [Field in keyof Fields as Fields[Field] extends { column: infer Column extends string }
    ? Column
    : never]: Fields[Field] extends { column: infer Column extends keyof Table['$inferInsert'] }
    ? Table['$inferInsert'][Column]
    : never;
};

/** Creates the functions that describe the fields of one table, whose row is `alias`. */
export function fieldsOf<Table extends PgTable>(table: Table, alias = 'r') {
  const columns = getTableColumns(table);
  const nameOf = (column: string) => sql.raw(`${alias}.${quoted(columns[column]?.name ?? column)}`);
  type Column = keyof Table['$inferInsert'] & string;
  /** Stored as it was sent. A field that was left out is null. */
  const plain = <C extends Column>(column: C, options: Omit<RecordField, 'read' | 'column'> = {}) => ({
    read: nameOf(column),
    column,
    toStored: orNull,
    ...options,
  });
  return {
    /** A text that can name people. */
    text: plain,
    /** A date, number, code or list that the audit log contains. */
    value: <C extends Column>(column: C, options: Omit<RecordField, 'read' | 'column'> = {}) =>
      plain(column, { isAudited: true, ...options }),
    /** A timestamp. */
    instant: <C extends Column>(column: C) => ({
      read: sql`to_char(${nameOf(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      column,
      toStored: (value: string | undefined, field: string) =>
        value === undefined ? null : instantOf(value, field),
      normalise: normaliseInstant,
      isAudited: true,
    }),
    /** A switch that is off if it was left out. */
    flag: <C extends Column>(column: C) => ({
      read: nameOf(column),
      column,
      toStored: (value: boolean | undefined) => value ?? false,
      normalise: (value: boolean) => value || undefined,
    }),
  };
}

/** Where a record that is part of a case is stored. */
export const inCase = ({ caseId }: { caseId: AnyPgColumn }): Pick<RecordDefinition, 'parent' | 'caseId'> => ({
  parent: sql`${caseId}`,
  caseId: sql`${caseId}`,
});

/** Where a record that is part of a matter is stored. */
export const inMatter = ({
  matterId,
}: {
  matterId: AnyPgColumn;
}): Pick<RecordDefinition, 'parent' | 'caseId'> => ({
  parent: sql`${matterId}`,
  caseId: sql`(select m.case_id from matters m where m.id = ${matterId})`,
});

/** A field that the writer of the record stores itself. */
export const own = (
  read: SQL,
  options: Pick<RecordField, 'normalise' | 'isAudited' | 'refersTo'> = {},
): Omit<RecordField, 'column'> => ({ read, ...options });

/** A field that names another record by its reference. */
export const referenceTo = (list: FeedList, read: SQL): Omit<RecordField, 'column'> =>
  own(read, { isAudited: true, refersTo: list });

/** @throws RecordRejected for a timestamp that the schema accepts but that does not exist, such as a leap second */
function instantOf(value: string, field: string): Date {
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) {
    throw new RecordRejected(field, 'must be an ISO 8601 timestamp in UTC, for example 2026-11-20T09:30:00Z');
  }
  return instant;
}

/** The fields of a definition that are stored as they were sent, found once: a large import has millions of milestones. */
const storedFields = new WeakMap<
  object,
  { name: string; column: string; place: string; toStored: ToStored }[]
>();
type ToStored = NonNullable<RecordField['toStored']>;

function storedFieldsOf(fields: Record<string, RecordField>) {
  const found =
    storedFields.get(fields) ??
    Object.entries(fields).flatMap(([name, { column, toStored = orNull }]) =>
      column === undefined ? [] : { name, column, place: `/${name}`, toStored },
    );
  storedFields.set(fields, found);
  return found;
}

/**
 * Converts a record to the columns that are stored as they were sent, with its reference if it has one.
 * @throws RecordRejected for an impossible timestamp
 */
export function storedColumns<
  Table extends PgTable,
  Fields extends Record<string, RecordField>,
  Sent extends object,
>(
  { fields }: { table: Table; fields: Fields },
  record: Sent,
): StoredColumns<Table, Fields> & Pick<Sent, 'reference' & keyof Sent> {
  const sent = record as Record<string, never>;
  const row: Record<string, unknown> = 'reference' in sent ? { reference: sent.reference } : {};
  for (const { name, column, place, toStored } of storedFieldsOf(fields))
    row[column] = toStored(sent[name] as never, place);
  return row as StoredColumns<Table, Fields> & Pick<Sent, 'reference' & keyof Sent>;
}

/** @returns the fields as JSON, as arguments of `json_build_object` */
export const readFields = (fields: object): SQL =>
  sql.join(
    Object.entries(fields as Record<string, RecordField>).map(
      ([name, { read }]) => sql`${sql.raw(`'${name}'`)}, ${read}`,
    ),
    sql`, `,
  );

/** Converts fields that are stored alike to one form, and leaves out those that equal being left out. */
export function normaliseFields<Sent extends object>(fields: object, sent: Sent): Sent {
  const normal: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const { normalise } = (fields as Record<string, RecordField>)[name] ?? {};
    const normalised = value === undefined || !normalise ? value : normalise(value as never);
    if (normalised !== undefined) normal[name] = normalised;
  }
  return normal as Sent;
}

const orNull = (value: unknown) => value ?? null;

const normaliseInstant = (value: string) =>
  Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString();

const quoted = (name: string) => `"${name}"`;
