import type { CallAnswer, HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { findActiveCase } from '../../platform/active-case.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { caseClients, historyEntries } from '../../platform/tables/tables.ts';

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
export async function readCaseHistory(
  connection: Connection,
  clientId: string,
  page: HistoryPage,
): Promise<CallAnswer<'GET /case-history'>> {
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor);
  const activeCase = await findActiveCase(connection, clientId);
  if (!activeCase) return { data: [], meta: { total: 0, next_cursor: null } };
  const ownCase = connection
    .select({ id: caseClients.caseId })
    .from(caseClients)
    .where(and(eq(caseClients.caseId, activeCase.id), eq(caseClients.clientId, clientId)));
  const wanted = and(
    inArray(historyEntries.caseId, ownCase),
    page.category && eq(historyEntries.category, page.category),
  );
  const [found, total] = await Promise.all([
    connection
      .select({ entry: historyEntries, occurredMicroseconds })
      .from(historyEntries)
      .where(and(wanted, after && olderThan(after)))
      .orderBy(desc(historyEntries.occurredAt), desc(historyEntries.id))
      // One more than requested shows whether there is a next page.
      .limit(page.limit + 1),
    connection.$count(historyEntries, wanted),
  ]);
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    data: shown.map(({ entry }) => asHistoryEntry(entry)),
    meta: {
      total,
      next_cursor:
        found.length > shown.length && last
          ? asText({ microseconds: last.occurredMicroseconds, id: last.entry.id })
          : null,
    },
  };
}

/** Microseconds since the epoch, PostgreSQL's precision. A JavaScript date would lose three digits. */
const occurredMicroseconds = sql<string>`(extract(epoch from ${historyEntries.occurredAt}) * 1000000)::bigint::text`;

/** An entry's position in the list. The id distinguishes entries with equal timestamps. */
interface Cursor {
  microseconds: string;
  id: string;
}

const olderThan = ({ microseconds, id }: Cursor) =>
  sql`(${historyEntries.occurredAt}, ${historyEntries.id}) < (to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond', ${id}::uuid)`;

const asText = ({ microseconds, id }: Cursor) => Buffer.from(`${microseconds}/${id}`).toString('base64url');

function parseCursor(text: string): Cursor {
  const [microseconds = '', id = ''] = Buffer.from(text, 'base64url').toString('latin1').split('/');
  // Seventeen digits reach the year 5138 and stay within PostgreSQL's range of timestamps.
  const isOurs = /^-?\d{1,17}$/.test(microseconds) && isId(id) && asText({ microseconds, id }) === text;
  if (!isOurs)
    throw new DomainError('invalid_input', { errors: { cursor: ['is not from an answer of ours'] } });
  return { microseconds, id };
}

const asHistoryEntry = (entry: typeof historyEntries.$inferSelect): HistoryEntry => ({
  id: entry.id,
  created_at: entry.createdAt.toISOString(),
  updated_at: entry.updatedAt.toISOString(),
  occurred_at: entry.occurredAt.toISOString(),
  category: entry.category,
  actor: entry.actor,
  summary: entry.summary,
  link: entry.link,
});
