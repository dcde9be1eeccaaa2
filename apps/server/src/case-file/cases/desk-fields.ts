import { sql } from 'drizzle-orm';
import { asInstant, columns } from '../../platform/reads/contract-json.ts';
import { versionOf } from '../../platform/reads/record-version.ts';

/** Writes who a client is, for a member of staff. */
export const nameOf = (client: string) =>
  sql.raw(
    `json_build_object('id', ${client}.id, 'name', ${client}.first_name || ' ' || ${client}.last_name)`,
  );

/**
 * Writes the fields that each record has for staff, and not for clients. Records made at the desk have references that no feed
 * may create.
 */
export const deskFields = (row: string) =>
  sql`${columns(row, 'reference')}, 'version', ${versionOf(row)},
    'is_from_desk', ${sql.raw(row)}.reference like 'desk-%', 'sent_at', ${asInstant(`${row}.feed_sent_at`)}`;
