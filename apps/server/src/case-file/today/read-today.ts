import {
  isAddedTodayKind,
  type Today,
  type TodayItem,
  type TodayKindName,
  type TodayList,
  todayKindsOf,
  todayUrgencies,
} from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { type SQL, sql } from 'drizzle-orm';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Connection } from '../../platform/database.ts';
import { jsonList, literals } from '../../platform/reads/contract-json.ts';
import { foundAt, itemsOf } from './find-items.ts';

/** The maximum number of items in a list. */
const shown = 200;

type StoredToday = Pick<Today, 'counts' | 'members'> & { items: TodayItem[] };

/**
 * Reads the items that need attention and that the member’s role sees, with one statement that derives them from the
 * data and adds the decisions of staff.
 */
export async function readToday(
  connection: Connection,
  { member, list, now }: { member: Pick<SignedInStaff, 'id' | 'email' | 'role'>; list: TodayList; now: Date },
): Promise<Today> {
  const today = londonDay(now);
  const { rows } = await connection.execute<{ today: StoredToday }>(sql`
    with found as (${itemsWithState(todayKindsOf(member.role), now)}),
    undone as (
      select *, coalesce(snoozed_until > ${today}::date, false) as is_snoozed,
        assigned_to is not distinct from ${member.id}::uuid
          or assigned_to is null and handlers @> array[${member.email.toLowerCase()}::text] as is_mine
      from found where not is_done),
    listed as (
      select *, row_number() over (order by urgency, coalesce(due_on, since), reference, kind, subject_id) as position
      from undone where ${inList[list]}
      order by position limit ${shown})
    select json_build_object(
      'items', ${jsonList(itemAsJson, { query: sql`from listed`, order: sql`listed.position` })},
      'counts', (select json_build_object(
        'mine', count(*) filter (where ${inList.mine}), 'all', count(*) filter (where ${inList.all}),
        'unassigned', count(*) filter (where ${inList.unassigned}),
        'snoozed', count(*) filter (where ${inList.snoozed})) from undone),
      'members', ${jsonList(sql`json_build_object('id', id, 'name', name, 'role', role)`, {
        query: sql`from staff where state = 'active'`,
        order: sql`name, id`,
      })}) as today`);
  const [row] = rows;
  if (!row) throw new Error('the statement has no answer');
  const { items, ...others } = row.today;
  return {
    today,
    checked_at: now.toISOString(),
    ...others,
    items: items.filter(({ kind }) => !isAddedTodayKind(kind)) as Today['items'],
    added_items: items.filter(({ kind }) => isAddedTodayKind(kind)),
  };
}

const inList: Record<TodayList, SQL> = {
  mine: sql`is_mine and not is_snoozed`,
  all: sql`not is_snoozed`,
  unassigned: sql`assigned_to is null and not is_snoozed`,
  snoozed: sql`is_snoozed`,
};

/**
 * Writes the items of these kinds with the decisions of staff. Decisions about an earlier occasion do not count, and
 * an item that is assigned to a former member counts as unassigned.
 * @param subject restricts them to one subject
 */
export function itemsWithState(kinds: readonly TodayKindName[], now: Date, subject?: SQL): SQL {
  const at = foundAt(now);
  const all = kinds.map(
    (kind) => sql`select ${sql.raw(`'${kind}'`)} as kind, of_kind.* from (${itemsOf[kind](at)}) of_kind
      ${subject ? sql`where of_kind.subject_id = ${subject}` : sql``}`,
  );
  return sql`
    select item.*, summary.reference, summary.handlers, coalesce(decided.version, 0) as version,
      assignee.id as assigned_to, assignee.name as assigned_name,
      case when is_current then decided.snoozed_until end as snoozed_until,
      coalesce(is_current and decided.done_at is not null, false) as is_done
    from (${sql.join(all, sql` union all `)}) item
    -- offset 0: a lookup for each item. PostgreSQL overestimates their number, and would read every summary.
    cross join lateral (
      select reference, handlers from case_summaries where case_id = item.case_id offset 0) summary
    left join desk_items decided on decided.kind = item.kind and decided.subject_id = item.subject_id
    cross join lateral (select decided.occasion = item.occasion as is_current) occasion
    left join staff assignee on is_current and assignee.id = decided.assigned_to and assignee.state = 'active'`;
}

const urgencyName = sql`(array[${literals(todayUrgencies)}])[listed.urgency + 1]`;

/** An item about a promise names its steps, and one about a signed document its signers. */
const nameOfItem = sql`case
  when listed.kind in ('promise_missed', 'promise_due') then (
    select string_agg(distinct step.title, ', ') from matters m join milestones step on step.matter_id = m.id
    where m.case_id = listed.case_id and m.status = 'active' and step.status in ('current', 'blocked')
      and step.next_update_by = listed.due_on)
  else listed.name end`;

const itemAsJson = sql`json_build_object(
  'kind', listed.kind, 'subject_id', listed.subject_id, 'occasion', listed.occasion, 'urgency', ${urgencyName},
  'case', (select json_build_object('id', id, 'reference', c.reference, 'title', c.title)
    from conveyancing_cases c where c.id = listed.case_id),
  'clients', ${jsonList(sql`concat_ws(' ', client.first_name, client.last_name)`, {
    query: sql`from case_clients member join clients client on client.id = member.client_id
      where member.case_id = listed.case_id`,
    order: sql`client.reference`,
  })},
  'name', ${nameOfItem}, 'amount', listed.amount, 'payment_id', listed.payment_id,
  'since', listed.since, 'due_on', listed.due_on,
  'state', json_build_object('version', listed.version,
    'assigned_to', case when listed.assigned_to is not null then
      json_build_object('id', listed.assigned_to, 'name', listed.assigned_name) end,
    'snoozed_until', listed.snoozed_until, 'is_done', listed.is_done))`;
