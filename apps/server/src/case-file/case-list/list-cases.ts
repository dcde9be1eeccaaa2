import type { CaseFilter, CaseList, CaseSort, ListedCase } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { asInstant, columns, jsonList } from '../../platform/reads/contract-json.ts';
import { type CasePlace, toCursor, toPlace } from './case-cursor.ts';

const pageSize = 50;
/** The cases of a list are counted up to this number. */
const maxCount = 1_001;

interface CaseQuery {
  filter: CaseFilter;
  /** The cursor of the case before the first one. */
  after?: string | undefined;
  now: Date;
}

type StoredCase = Omit<ListedCase, 'cursor'> & { place: CasePlace };

/**
 * Lists a page of cases with one statement on `case_summaries`; an index covers both order and position.
 * @throws DomainError `invalid_input` for an invalid cursor
 */
export async function listCases(
  connection: Connection,
  { filter, after, now }: CaseQuery,
): Promise<CaseList> {
  const sort = filter.sort ?? 'promise';
  const today = londonDay(now);
  const conditions = conditionsOf(filter, today);
  const { rows } = await connection.execute<{ cases: StoredCase[]; count: number | null }>(sql`
    with page as (${pageOf(sort, conditions, after, pageSize + 1)})
    select ${jsonList(listedCase, { query: sql`from page cross join lateral ${caseOfPage} c`, order: sql`page.position` })} as cases,
      ${after === undefined ? countOf(conditions) : sql`null::integer`} as count`);
  const { cases = [], count = null } = rows[0] ?? {};
  return {
    today,
    cases: cases
      .slice(0, pageSize)
      .map(({ place, ...listed }) => ({ ...listed, cursor: toCursor(sort, place) })),
    has_more: cases.length > pageSize,
    count,
  };
}

/** Finds the case after a position in a list; null at the end. */
export async function findNextCase(connection: Connection, { filter, after, now }: CaseQuery) {
  const sort = filter.sort ?? 'promise';
  const page = pageOf(sort, conditionsOf(filter, londonDay(now)), after, 1);
  const { rows } = await connection.execute<{
    id: string;
    reference: string;
    title: string;
    place: CasePlace;
  }>(
    sql`select c.id, c.reference, c.title, ${placeOfPage} as place
      from (${page}) page cross join lateral ${caseOfPage} c`,
  );
  const [next] = rows;
  return next
    ? {
        id: next.id,
        reference: next.reference,
        title: next.title,
        cursor: toCursor(sort, next.place),
      }
    : null;
}

/** Lists the handlers who still have cases, and the steps that cases have had under way. */
export async function listCaseFilters(connection: Connection) {
  const { rows } = await connection.execute<{
    filters: { handlers: { email: string; name: string }[]; steps: { key: string; title: string }[] };
  }>(sql`
    select json_build_object(
      'handlers', ${jsonList(sql`json_build_object('email', value, 'name', label)`, {
        query: sql`from case_filter_values known
          where kind = 'handler' and exists (select from case_summaries where handlers @> array[known.value])`,
        order: sql`label, value`,
      })},
      'steps', ${jsonList(sql`json_build_object('key', value, 'title', label)`, {
        query: sql`from case_filter_values where kind = 'step'`,
        order: sql`label, value`,
      })}) as filters`);
  return rows[0]?.filters ?? { handlers: [], steps: [] };
}

interface Order {
  /** The column by which the list is sorted before the reference; null if it is sorted by reference only. */
  column: SQL | null;
  /** The column as text, in the same form on every server. */
  text: SQL;
  isDescending: boolean;
}

const byPromise = { column: sql`promised_on`, text: sql`promised_on::text` };
const byLastUpdate = {
  column: sql`last_update_at`,
  text: sql`case when last_update_at = '-infinity' then '-infinity'
    else to_char(last_update_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') end`,
};
const byReference = { column: null, text: sql`''` };

const orders: Record<CaseSort, Order> = {
  promise: { ...byPromise, isDescending: false },
  last_update: { ...byLastUpdate, isDescending: false },
  '-last_update': { ...byLastUpdate, isDescending: true },
  reference: { ...byReference, isDescending: false },
  '-reference': { ...byReference, isDescending: true },
};

/** Writes the summaries of a page, each with its position. */
function pageOf(sort: CaseSort, conditions: SQL[], after: string | undefined, limit: number): SQL {
  const { column, text, isDescending } = orders[sort];
  const direction = isDescending ? sql`desc` : sql`asc`;
  const order = column ? sql`${column} ${direction}, reference ${direction}` : sql`reference ${direction}`;
  const all = [...conditions];
  if (after !== undefined) {
    const place = toPlace(sort, after);
    const than = isDescending ? sql`<` : sql`>`;
    all.push(
      column
        ? sql`(${column}, reference) ${than} (${place.value}, ${place.reference})`
        : sql`reference ${than} ${place.reference}`,
    );
  }
  return sql`
    select case_id, reference, handlers, promised_on, last_update_at, ${text} as place_value,
      row_number() over (order by ${order}) as position
    from (select * from case_summaries where ${andOf(all)} order by ${order} limit ${sql.raw(String(limit))}) found`;
}

const countOf = (conditions: SQL[]): SQL => sql`(
  select count(*)::integer from (select from case_summaries where ${andOf(conditions)} limit ${sql.raw(String(maxCount))}) counted)`;

const andOf = (conditions: SQL[]): SQL =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;

function conditionsOf(filter: CaseFilter, today: string): SQL[] {
  const { q, handler, step, matter_type, status, promise, waiting_on } = filter;
  return [
    // A search text without a word matches nothing.
    q?.trim() ? sql`words @@ starts_of_words(${q})` : undefined,
    handler ? sql`handlers @> array[${handler.toLowerCase()}::text]` : undefined,
    step ? sql`steps @> array[${step}::text]` : undefined,
    matter_type ? sql`matter_types @> array[${matter_type}::text]` : undefined,
    status === 'open' ? sql`status in ('active', 'on_hold')` : status ? sql`status = ${status}` : undefined,
    promise === 'missed' ? sql`promised_on < ${today}::date` : undefined,
    promise === 'none' ? sql`promised_on = 'infinity' and status in ('active', 'on_hold')` : undefined,
    waiting_on ? sql`actors @> array[${waiting_on}::text]` : undefined,
  ].filter((condition) => condition !== undefined);
}

/**
 * `offset 0` forces an index lookup for each case of the page, even if PostgreSQL estimates that the table is small.
 */
const caseOfPage = sql`(select * from conveyancing_cases where id = page.case_id offset 0)`;

const placeOfPage = sql`json_build_object('value', page.place_value, 'reference', page.reference)`;

const listedCase = sql`json_build_object(${columns('c', 'id', 'reference', 'title', 'status')},
  'clients', ${jsonList(sql`concat_ws(' ', client.first_name, client.last_name)`, {
    query: sql`from case_clients member join clients client on client.id = member.client_id where member.case_id = c.id`,
    order: sql`client.reference`,
  })},
  'handlers', ${jsonList(sql`handler.value ->> 'name'`, {
    query: sql`from jsonb_array_elements(c.handlers) with ordinality as handler (value, place)`,
    order: sql`handler.place`,
  })},
  'matters', ${jsonList(
    sql`json_build_object('id', m.id, 'matter_type', m.matter_type,
      'address', concat_ws(', ', (
        select string_agg(line, ', ') from jsonb_array_elements_text(m.property -> 'address_lines') as line),
        m.property ->> 'town', m.property ->> 'postcode'),
      'step', (select json_build_object('title', step.title, 'actor', step.actor)
        from milestones step where step.matter_id = m.id and step.status in ('current', 'blocked')
        order by (step.status = 'current') desc, step.position, step.id limit 1))`,
    { query: sql`from matters m where m.case_id = c.id`, order: sql`m.position, m.reference` },
  )},
  'promised_on', nullif(page.promised_on, 'infinity'),
  'last_update_at', case when page.last_update_at > '-infinity' then ${asInstant('page.last_update_at')} end,
  'place', ${placeOfPage})`;
