import type { CallAnswer, HistoryCategory } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { type ClientRead, defineRead } from '../../platform/reads/client-read.ts';
import { columns, entityFields, instants, jsonList } from '../../platform/reads/contract-json.ts';

export interface HistoryPage {
  /** Maximum number of entries. */
  limit: number;
  /** `meta.next_cursor` of the previous page. */
  cursor?: string | undefined;
  category?: HistoryCategory | undefined;
}

/**
 * Reads a page of the history of the client's active case, newest first. The cursor identifies the last entry of the
 * previous page, so that a new entry neither repeats nor hides another.
 * @throws DomainError `invalid_input` for an invalid cursor
 */
export function readCaseHistory({ limit, category, cursor }: HistoryPage): ClientRead<HistoryAnswer> {
  const after = cursor === undefined ? null : parseCursor(cursor);
  // One more than requested shows whether there is a next page.
  const values = { limit: limit + 1 };
  if (!category) return after ? readNextPage({ ...values, ...after }) : readFirstPage(values);
  return after
    ? readNextPageOfCategory({ ...values, category, ...after })
    : readFirstPageOfCategory({ ...values, category });
}

type HistoryAnswer = CallAnswer<'GET /case-history'>;

interface Facts {
  entries: { entry: HistoryAnswer['data'][number]; microseconds: string }[];
  total: number;
}

/**
 * Defines a statement for each combination of conditions: PostgreSQL would plan one with optional conditions for each
 * request.
 */
function defineHistoryRead<Values extends { limit: number }>(
  name: string,
  { ofCategory = sql`true`, isAfter = sql`true` }: { ofCategory?: SQL; isAfter?: SQL },
) {
  return defineRead<Facts | null, HistoryAnswer, Values>({
    name,
    select: (_client, shownCase) => sql`(
      select json_build_object('entries', found.entries, 'total', counted.total)
      from ${shownCase} active_case
      cross join lateral (
        select count(*) as total from history_entries
        where case_id = active_case.id and ${ofCategory}) counted
      cross join lateral (
        select coalesce(json_agg(json_build_object('entry', ${historyEntry},
          'microseconds', ${occurredMicroseconds}) order by entry.occurred_at desc, entry.id desc), '[]'::json) as entries
        from (
          select * from history_entries
          where case_id = active_case.id and ${ofCategory} and ${isAfter}
          order by occurred_at desc, id desc limit ${sql.placeholder('limit')}) entry) found)`,
    toAnswer: (facts, { limit }) => {
      const { entries, total } = facts ?? { entries: [], total: 0 };
      const shown = entries.slice(0, limit - 1);
      const last = shown.at(-1);
      return {
        data: shown.map(({ entry }) => entry),
        meta: {
          total,
          next_cursor:
            entries.length > shown.length && last
              ? asText({ microseconds: last.microseconds, id: last.entry.id })
              : null,
        },
      };
    },
  });
}

/** Writes an entry of the history of the row `entry`. */
export const historyEntry = sql`json_build_object(${entityFields('entry')}, ${instants('entry', 'occurred_at')},
  ${columns('entry', 'category', 'actor', 'summary', 'link')})`;

/** Microseconds since the epoch, PostgreSQL's precision. A JavaScript date would lose three digits. */
const occurredMicroseconds = sql`(extract(epoch from entry.occurred_at) * 1000000)::bigint::text`;

const ofCategory = sql`category = ${sql.placeholder('category')}`;
const isAfter = sql`(occurred_at, id) < (to_timestamp(0)
  + ${sql.placeholder('microseconds')}::bigint * interval '1 microsecond', ${sql.placeholder('id')}::uuid)`;

type Limit = { limit: number };
type OfCategory = Limit & { category: HistoryCategory };

const readFirstPage = defineHistoryRead<Limit>('read_case_history', {});
const readNextPage = defineHistoryRead<Limit & Cursor>('read_next_case_history', { isAfter });
const readFirstPageOfCategory = defineHistoryRead<OfCategory>('read_case_history_of_category', {
  ofCategory,
});
const readNextPageOfCategory = defineHistoryRead<OfCategory & Cursor>('read_next_case_history_of_category', {
  ofCategory,
  isAfter,
});

/** An entry's position in the list. The id distinguishes entries with equal timestamps. */
interface Cursor {
  microseconds: string;
  id: string;
}

const asText = ({ microseconds, id }: Cursor) => Buffer.from(`${microseconds}/${id}`).toString('base64url');

function parseCursor(text: string): Cursor {
  const [microseconds = '', id = ''] = Buffer.from(text, 'base64url').toString('latin1').split('/');
  // Seventeen digits reach the year 5138 and stay within PostgreSQL's range of timestamps.
  const isOurs = /^-?\d{1,17}$/.test(microseconds) && isId(id) && asText({ microseconds, id }) === text;
  if (!isOurs)
    throw new DomainError('invalid_input', { errors: { cursor: ['is not from an answer of ours'] } });
  return { microseconds, id };
}

/** Writes the newest history of the case in the row `conveyancing_case`, as staff see it. */
export const historyAtDesk = jsonList(historyEntry, {
  query: sql`
    from (
      select * from history_entries where case_id = conveyancing_case.id
      order by occurred_at desc, id desc limit 30) entry`,
  order: sql`entry.occurred_at desc, entry.id desc`,
});
