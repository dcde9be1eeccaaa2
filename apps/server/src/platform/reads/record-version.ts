import { type SQL, sql } from 'drizzle-orm';

/**
 * Writes the version of a record of the case feed: a hash of the content of its row. Staff send the version on which
 * an edit is based. A record that is changed and changed back has its former version again.
 * @param row the row's name in the query
 */
export const versionOf = (row: string): SQL =>
  sql.raw(
    `left(encode(sha256(convert_to((to_jsonb(${row}) - '{${ignored.join()}}'::text[])::text, 'UTF8')), 'hex'), 16)`,
  );

const ignored = ['created_at', 'updated_at', 'feed_hash', 'feed_sent_at', 'sent_status', 'ledger'];
