import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { readPaths } from '../../platform/firm-data/read-paths.ts';
import { normaliseMatter } from '../matters/matter-record.ts';
import { normaliseFields, readFields } from './define-record.ts';
import { isOrdered, recordDefinitions } from './record-definitions.ts';

/** A stored record in the feed's format, with its current values. */
export interface StoredRecord {
  record: FeedRecord<FeedList>;
  /** Position within its case or matter; 0 in a list without an order. */
  position: number;
  /** The file of a document, in hex. */
  sha256: string | null;
  /** The path of a matter, which determines its normal form, and the path's version. */
  path: MilestonePath | null;
  pathVersion: number | null;
}

/**
 * Reads records in the format in which the feed sends them, in their normal form. Contains only fields of the feed,
 * and never a password.
 * @returns by reference
 */
export async function readRecords(
  connection: Connection,
  list: FeedList,
  references: readonly string[],
): Promise<Map<string, StoredRecord>> {
  if (references.length === 0) return new Map();
  const { from, fields } = recordDefinitions[list];
  const { rows } = await connection.execute<{
    id: string;
    reference: string;
    position: number;
    sha256: string | null;
    record: Record<string, unknown>;
  }>(
    sql`select r.id, r.reference, ${isOrdered(list) ? sql`r.position` : sql`0`} as position,
      ${list === 'documents' ? sql`r.sha256` : sql`null::text`} as sha256,
      json_build_object('reference', r.reference, ${readFields(fields)}) as record
      from ${from} where r.reference = any(${sql.param([...references])}::text[])`,
  );
  const ids = rows.map(({ id }) => id);
  const pathOf = list === 'matters' ? await readPaths(connection, ids) : null;
  return new Map(
    rows.map(({ id, reference, record: found, ...stored }) => {
      const record = withoutNulls(found) as FeedRecord<FeedList>;
      const own = pathOf && 'matter_type' in record ? pathOf(id, record.matter_type) : null;
      const path = own?.path ?? null;
      const pathVersion = own?.version ?? null;
      return [reference, { ...stored, path, pathVersion, record: normalForm(list, record, path) }];
    }),
  );
}

/**
 * Converts a valid record to its normal form, which is equal for records that are stored alike: without defaults and
 * the password, with timestamps in one format and unordered lists sorted.
 * @param path the path of a matter
 */
export function normalForm<List extends FeedList>(
  list: List,
  record: FeedRecord<List>,
  path: MilestonePath | null,
): FeedRecord<List> {
  const normal = normaliseFields(recordDefinitions[list].fields, record);
  return 'milestones' in normal ? (normaliseMatter(normal, path) as unknown as typeof normal) : normal;
}

/** Removes fields that are null in the record or its milestones. */
function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  const { milestones: steps, ...rest } = record;
  const filled = (fieldsOf: object) =>
    Object.fromEntries(Object.entries(fieldsOf).filter(([, value]) => value !== null));
  return { ...filled(rest), ...(Array.isArray(steps) ? { milestones: steps.map(filled) } : {}) };
}
