import type { HistoryEntry } from '@keyturn/contract';
import {
  buildCase,
  buildClient,
  buildHistoryEntry,
  countStatements,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { historyRoutes } from '../../doors/client/history-routes.ts';
import type { Connection } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { type HistoryPage, readCaseHistory } from './read-case-history.ts';

const stored = withTestDatabase();

const read = async (clientId: string, page: Partial<HistoryPage> = {}) =>
  readCaseHistory({ limit: 50, ...page }).forClient(stored.database, clientId);

/** All pages, from the first to the one without a cursor. */
async function readThrough(clientId: string, page: HistoryPage, connection: Connection = stored.database) {
  const entries: HistoryEntry[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const answer = await readCaseHistory({ ...page, cursor }).forClient(connection, clientId);
    expect(answer.meta.total).toBe((await read(clientId, page)).meta.total);
    entries.push(...answer.data);
    sizes.push(answer.data.length);
    cursor = answer.meta.next_cursor ?? undefined;
  } while (cursor);
  return { entries, sizes };
}

describe('readCaseHistory', () => {
  test('the case history lists entries newest first, with every field of the contract', async () => {
    const { clientId } = await buildCase(stored.database, {
      history: [
        { summary: 'first', occurredAt: new Date('2026-03-29T00:59:59.999Z') },
        {
          summary: 'Your local search is back.',
          occurredAt: new Date('2026-03-29T01:00:00.001Z'),
          category: 'search',
          actor: 'Somerset Council',
          link: '/documents/1',
        },
      ],
    });
    const answer = await read(clientId);
    expect(answer.meta).toEqual({ total: 2, next_cursor: null });
    expect(answer.data[0]).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      occurred_at: '2026-03-29T01:00:00.001Z',
      category: 'search',
      actor: 'Somerset Council',
      summary: 'Your local search is back.',
      link: '/documents/1',
    });
    expect(answer.data[1]).toMatchObject({ summary: 'first', link: null });
  });

  test('the case history pages 500 entries without gaps or repeats, even at equal timestamps', async () => {
    const { id, clientId } = await buildCase(stored.database);
    // Groups of ten equal timestamps, and others within the same millisecond.
    await stored.pool.query(
      `insert into history_entries (id, case_id, occurred_at, category, actor, summary)
       select gen_random_uuid(), $1, timestamptz '2026-05-01 12:00:00Z' + (n / 10) * interval '1 microsecond',
         case when n % 5 = 0 then 'payment' else 'case' end, 'us', 'entry ' || n
       from generate_series(1, 500) n`,
      [id],
    );
    const whole = await read(clientId, { limit: 1000 });
    expect(whole.data).toHaveLength(500);
    expect(whole.meta).toEqual({ total: 500, next_cursor: null });
    for (const limit of [7, 50, 250, 499, 500]) {
      const { entries, sizes } = await readThrough(clientId, { limit });
      expect(entries).toEqual(whole.data);
      expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
      expect(sizes.at(-1)).toBeGreaterThan(0);
    }
    // Without the index, only the statement's own order keeps equal timestamps stable.
    const url = new URL(stored.url);
    url.searchParams.set('options', '-c enable_indexscan=off');
    const withoutIndex = connectDatabase({ url: url.href, size: 2 });
    expect((await readThrough(clientId, { limit: 7 }, withoutIndex.database)).entries).toEqual(whole.data);
    await withoutIndex.close();
    for (const limit of [1, 9]) {
      const payments = await readThrough(clientId, { limit, category: 'payment' });
      expect(payments.entries).toEqual(whole.data.filter((entry) => entry.category === 'payment'));
      expect(payments.entries).toHaveLength(100);
    }
  });

  test('the case history neither repeats nor skips an entry when one is added between two pages', async () => {
    const occurredAt = (day: number) => ({
      summary: `day ${day}`,
      occurredAt: new Date(Date.UTC(2026, 4, day)),
    });
    const { id, clientId } = await buildCase(stored.database, { history: [1, 2, 3, 4].map(occurredAt) });
    const first = await read(clientId, { limit: 2 });
    await buildHistoryEntry(stored.database, { caseId: id, ...occurredAt(5) });
    const second = await read(clientId, { limit: 2, cursor: first.meta.next_cursor ?? '' });
    const summaries = [...first.data, ...second.data].map((entry) => entry.summary);
    expect(summaries).toEqual(['day 4', 'day 3', 'day 2', 'day 1']);
    expect(second.meta).toEqual({ total: 5, next_cursor: null });
  });

  test('the case history counts only the chosen category', async () => {
    const { clientId } = await buildCase(stored.database, {
      history: [{ category: 'search' }, { category: 'case' }, { category: 'search' }],
    });
    const answer = await read(clientId, { category: 'search', limit: 1 });
    expect(answer.meta.total).toBe(2);
    expect(await read(clientId, { category: 'message' })).toEqual({
      data: [],
      meta: { total: 0, next_cursor: null },
    });
  });

  test('the case history returns only entries of the client’s active case', async () => {
    const { id: clientId } = await buildClient(stored.database);
    await buildCase(stored.database, { clients: [{ id: clientId }], status: 'completed', history: [{}] });
    await buildCase(stored.database, { history: [{}, {}] });
    await buildCase(stored.database, { clients: [{ id: clientId }], history: [{ summary: 'mine' }] });
    const answer = await read(clientId);
    expect(answer.data.map((entry) => entry.summary)).toEqual(['mine']);
    expect(answer.meta.total).toBe(1);
  });

  test('the case history returns only the client’s own entries for a cursor from another case', async () => {
    const at = { occurredAt: new Date('2026-05-02T00:00:00Z') };
    const otherCase = await buildCase(stored.database, { history: [at, at] });
    const mine = await buildCase(stored.database, { history: [{ ...at, summary: 'mine' }] });
    const { next_cursor } = (await read(otherCase.clientId, { limit: 1 })).meta;
    const answer = await read(mine.clientId, { cursor: next_cursor ?? '' });
    for (const entry of answer.data) expect(entry.summary).toBe('mine');
  });

  test('the case history has no entries for a client without a case', async () => {
    const { id } = await buildClient(stored.database);
    expect(await read(id)).toEqual({ data: [], meta: { total: 0, next_cursor: null } });
  });

  const encode = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    '',
    'x',
    '!!!',
    '\0',
    'null',
    encode('0'),
    encode('/'),
    encode(`1/${'x'.repeat(36)}`),
    encode(`1e5/${newId()}`),
    encode(`999999999999999999/${newId()}`),
    encode(`--1/${newId()}`),
    `${encode(`1/${newId()}`)}=`,
    encode(`1/${newId()}/more`),
    encode(`1/${newId()}' or 1=1 --`),
  ])('the case history rejects the cursor %j', async (cursor) => {
    const { clientId } = await buildCase(stored.database);
    await expect(read(clientId, { cursor })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { cursor: ['is not from an answer of ours'] },
    });
  });

  test.each(['99999999999999999', '-99999999999999999', '0'])(
    'the cursor of the case history accepts %s microseconds as a timestamp',
    async (text) => {
      const { clientId } = await buildCase(stored.database, { history: [{}] });
      const answer = await read(clientId, { cursor: encode(`${text}/${newId()}`) });
      expect(answer.data).toHaveLength(text.startsWith('9') ? 1 : 0);
    },
  );

  test('the case history takes one statement and returns fifty entries by default', async () => {
    const { clientId } = await buildCase(stored.database, {
      history: Array.from({ length: 51 }, () => ({})),
    });
    const counted = countStatements(stored.url);
    expect(
      await counted.countStatementsOf(() =>
        readCaseHistory({ limit: 5 }).forClient(counted.database, clientId),
      ),
    ).toBe(1);
    await counted.close();
    const { read } = historyRoutes['GET /case-history'];
    const answer = await read({ params: undefined, query: {} }).forClient(stored.database, clientId);
    expect(answer.data).toHaveLength(50);
    expect(answer.meta.next_cursor).not.toBeNull();
  });
});
