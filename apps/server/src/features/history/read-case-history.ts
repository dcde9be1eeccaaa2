import type { CallAnswer, HistoryCategory } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { activeCaseOf } from '../../platform/reads/active-case.ts';
import { type ClientRead, defineRead } from '../../platform/reads/client-read.ts';
import { columns, entityFields, instants } from '../../platform/reads/contract-json.ts';

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
export function readCaseHistory(page: HistoryPage): ClientRead<HistoryAnswer> {
  const after = page.cursor === undefined ? null : parseCursor(page.cursor);
  return readPage({
    // One more than requested shows whether there is a next page.
    limit: page.limit + 1,
    category: page.category ?? null,
    afterMicroseconds: after?.microseconds ?? null,
    afterId: after?.id ?? null,
  });
}

type HistoryAnswer = CallAnswer<'GET /case-history'>;

interface Facts {
  entries: { entry: HistoryAnswer['data'][number]; microseconds: string }[];
  total: number;
}

type Values = {
  limit: number;
  category: string | null;
  afterMicroseconds: string | null;
  afterId: string | null;
};

const readPage = defineRead<Facts | null, HistoryAnswer, Values>({
  name: 'read_case_history',
  select: (client) => sql`(
    select json_build_object('entries', found.entries, 'total', counted.total)
    from ${activeCaseOf(client)} active_case
    cross join lateral (
      select count(*) as total from history_entries
      where case_id = active_case.id and ${isInCategory}) counted
    cross join lateral (
      select coalesce(json_agg(json_build_object('entry', json_build_object(${entityFields('entry')},
        ${instants('entry', 'occurred_at')}, ${columns('entry', 'category', 'actor', 'summary', 'link')}),
        'microseconds', ${occurredMicroseconds}) order by entry.occurred_at desc, entry.id desc), '[]'::json) as entries
      from (
        select * from history_entries
        where case_id = active_case.id and ${isInCategory} and (${afterMicroseconds} is null
          or (occurred_at, id) < (to_timestamp(0) + ${afterMicroseconds} * interval '1 microsecond', ${afterId}))
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

const category = sql`${sql.placeholder('category')}::text`;
const isInCategory = sql`(${category} is null or category = ${category})`;
const afterMicroseconds = sql`${sql.placeholder('afterMicroseconds')}::bigint`;
const afterId = sql`${sql.placeholder('afterId')}::uuid`;

/** Microseconds since the epoch, PostgreSQL's precision. A JavaScript date would lose three digits. */
const occurredMicroseconds = sql`(extract(epoch from entry.occurred_at) * 1000000)::bigint::text`;

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
