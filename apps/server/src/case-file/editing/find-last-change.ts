import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import type { EditedKind, LockedRecord } from './lock-record.ts';

/** The last change of a record. */
export interface LastChange {
  /** Null if unknown. */
  by: string | null;
  at: Date | null;
}

/**
 * Finds the last change of a record: from the audit log for staff and feed keys, otherwise the time at which the firm’s
 * system last sent it, or a client paid.
 */
export async function findLastChange(
  connection: Connection,
  { kind, id, reference, key }: LockedRecord,
): Promise<LastChange> {
  const subject = kind === 'milestone' ? 'matter' : kind;
  const ofMilestone =
    kind === 'milestone'
      ? sql`and (actor_kind <> 'staff' or exists (
    select from jsonb_object_keys(after) path where starts_with(path, ${`milestones.${key}.`})))`
      : sql``;
  const { rows } = await connection.execute<{ name: string | null; at: Date }>(sql`
    select name, at from (
      select actor_name as name, occurred_at as at from (
        select actor_name, occurred_at from audit_entries
        where subject_id = ${reference} and subject_kind = ${subject}
          and action in ('desk.record_added', 'desk.record_changed', 'feed.record_sent') ${ofMilestone}
        order by occurred_at desc limit 1) audited
      union all
      ${others[kind]} where row_id = ${id}) changes
    where at is not null order by at desc, name nulls last limit 1`);
  const [found] = rows;
  return { by: found?.name ?? null, at: found ? new Date(found.at) : null };
}

const importer = 'The import of your case-management system';
const otherChanges = (rows: string) => sql.raw(`select name, at from (${rows}) others`);
const others: Record<EditedKind, ReturnType<typeof sql>> = {
  case: otherChanges(
    `select id as row_id, '${importer}' as name, feed_sent_at as at from conveyancing_cases`,
  ),
  milestone: otherChanges(`select milestones.id as row_id, '${importer}' as name, matters.feed_sent_at as at
    from milestones join matters on matters.id = matter_id`),
  matter: otherChanges(`select id as row_id, '${importer}' as name, feed_sent_at as at from matters`),
  search: otherChanges(`select id as row_id, '${importer}' as name, feed_sent_at as at from case_searches
    union all select case_search_id, 'A client’s payment', paid_at from payments where paid_at is not null`),
  document: otherChanges(`select id as row_id, '${importer}' as name, feed_sent_at as at from documents`),
  task: otherChanges(`select id as row_id, '${importer}' as name, feed_sent_at as at from tasks`),
  bill: otherChanges(`select id as row_id, '${importer}' as name, feed_sent_at as at from bills`),
};
