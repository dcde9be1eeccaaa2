import type { Firm } from '@keyturn/contract';
import {
  buildCase,
  buildCaseSearch,
  buildDocument,
  buildFirm,
  buildPayment,
  buildSignature,
  buildTask,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { documentReads, documents, tasks } from '../../schema/tables/tables.ts';
import { readConveyancingCase } from '../../testing/read-conveyancing-case.ts';

const stored = withTestDatabase();
const counted = withStatementCount(stored);
let firm: Firm;
beforeAll(async () => {
  firm = await buildFirm(stored.database);
});

async function read(built: { id: string; clientId: string }) {
  const found = await readConveyancingCase(stored.database, { caseId: built.id, clientId: built.clientId });
  return found ?? expect.fail('the case was not found');
}

describe('readConveyancingCase', () => {
  test('returns the case with its matters, handlers and firm', async () => {
    const built = await buildCase(stored.database, {
      reference: 'KT-2026-00421',
      title: 'Sale of 14 Alder Row and purchase of The Old Chapel',
      matters: [
        { matterType: 'purchase', position: 2, targetCompletionOn: '2026-06-30' },
        { matterType: 'sale', position: 1, exchangedOn: '2026-03-29', completedOn: '2026-10-25' },
      ],
    });
    const found = await read(built);
    expect(found).toMatchObject({
      id: built.id,
      reference: 'KT-2026-00421',
      title: 'Sale of 14 Alder Row and purchase of The Old Chapel',
      status: 'active',
      handlers: [
        { name: 'Hannah Alder', role: 'Solicitor', phone: '01632 960789', email: 'hannah@alderfinch.test' },
      ],
      firm: { ...firm, closed_on: expect.arrayContaining(['2026-12-25', '2026-12-28']) },
    });
    expect(found.matters.map((matter) => matter.matter_type)).toEqual(['sale', 'purchase']);
    expect(found.matters[0]).toMatchObject({ exchanged_on: '2026-03-29', completed_on: '2026-10-25' });
    expect(found.matters[1]).toMatchObject({
      target_exchange_on: null,
      target_completion_on: '2026-06-30',
      property: { postcode: 'BA11 1AA', price: 41_500_000 },
      parties: [{ role: 'estate_agent', name: 'Bramble & Co', contact: '01632 960456' }],
    });
    expect(found.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('returns nothing to a client who is not on the case', async () => {
    const [mine, other] = [await buildCase(stored.database), await buildCase(stored.database)];
    const { database } = stored;
    expect(await readConveyancingCase(database, { caseId: other.id, clientId: mine.clientId })).toBeNull();
    expect(await readConveyancingCase(database, { caseId: newId(), clientId: mine.clientId })).toBeNull();
    await expect(
      readConveyancingCase(database, { caseId: mine.id, clientId: newId() }),
    ).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('reads a case of any size with one statement', async () => {
    const built = await buildCase(stored.database, {
      matters: Array.from({ length: 5 }, () => ({ searches: [{}, {}], documents: [{}, {}] })),
      tasks: [{}, {}, {}],
    });
    const statements = (caseId: string) =>
      counted.countStatementsOf(() =>
        readConveyancingCase(counted.database, { caseId, clientId: built.clientId }),
      );
    expect(await statements(built.id)).toBe(1);
  });
});

describe('the progress of a matter', () => {
  const withMilestones = async (
    ...statuses: ('done' | 'current' | 'upcoming' | 'blocked' | 'not_needed')[]
  ) => {
    const milestones = statuses.map((status, index) => ({ key: `step_${index}`, status }));
    const [matter] = (await read(await buildCase(stored.database, { matters: [{ milestones }] }))).matters;
    return { stage: matter?.stage, progress: matter?.progress };
  };

  test('the progress of a matter counts done milestones out of the needed ones', async () => {
    const statuses = ['done', 'not_needed', 'done', 'current', 'blocked', 'upcoming', 'not_needed'] as const;
    expect(await withMilestones(...statuses)).toEqual({ stage: 'step_3', progress: { done: 2, total: 5 } });
  });

  test('the progress of a matter names the first current milestone as stage, else the first blocked one, else none', async () => {
    expect((await withMilestones('done', 'blocked', 'current', 'current')).stage).toBe('step_2');
    expect((await withMilestones('done', 'upcoming', 'blocked', 'blocked')).stage).toBe('step_2');
    expect((await withMilestones('upcoming', 'upcoming')).stage).toBeNull();
    expect(await withMilestones('done', 'done')).toEqual({ stage: null, progress: { done: 2, total: 2 } });
    expect(await withMilestones()).toEqual({ stage: null, progress: { done: 0, total: 0 } });
  });

  test('the progress of a matter determines the stage by path order, not by insertion order', async () => {
    const milestones = [
      { key: 'later', status: 'current', position: 7 },
      { key: 'earlier', status: 'current', position: 3 },
    ] as const;
    const found = await read(
      await buildCase(stored.database, { matters: [{ milestones: [...milestones] }] }),
    );
    expect(found.matters[0]?.stage).toBe('earlier');
  });

  test('the progress of a matter counts only its own milestones', async () => {
    const done = (key: string) => ({ key, status: 'done' as const });
    const found = await read(
      await buildCase(stored.database, {
        matters: [{ milestones: [done('a'), done('b')] }, { milestones: [{ key: 'a', status: 'current' }] }],
      }),
    );
    expect(found.matters.map((matter) => matter.progress)).toEqual([
      { done: 2, total: 2 },
      { done: 0, total: 1 },
    ]);
  });
});

describe('the tasks of a case', () => {
  test('lists open tasks first, by due date, tasks without one last', async () => {
    const found = await read(
      await buildCase(stored.database, {
        tasks: [
          { title: 'done long ago', status: 'done', dueOn: '2026-01-01' },
          { title: 'some day', dueOn: null },
          { title: 'in June', dueOn: '2026-06-01' },
          { title: 'in May', dueOn: '2026-05-01', position: 9 },
          { title: 'in May, more urgent', dueOn: '2026-05-01', position: 8 },
        ],
      }),
    );
    expect(found.tasks.map((task) => task.title)).toEqual([
      'in May, more urgent',
      'in May',
      'in June',
      'some day',
      'done long ago',
    ]);
  });

  test('shows a task to sign a deed, to every client as done once the firm has received the deed', async () => {
    const built = await buildCase(stored.database, {
      clients: [{}, {}],
      matters: [{ documents: [{ signing: 'deed', bindsOn: 'completion' }] }],
    });
    const [documentId = ''] = built.matters[0]?.documentIds ?? [];
    await buildTask(stored.database, { caseId: built.id, kind: 'sign_document', documentId });
    const tasksOf = () =>
      Promise.all(built.clientIds.map(async (clientId) => (await read({ id: built.id, clientId })).tasks[0]));
    const task = { signing: 'deed', binds_on: 'completion' };
    expect(await tasksOf()).toMatchObject([
      { ...task, status: 'open' },
      { ...task, status: 'open' },
    ]);
    await stored.database
      .update(documents)
      .set({ receivedOn: '2026-11-20' })
      .where(eq(documents.id, documentId));
    expect(await tasksOf()).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  test('shows a reading or signing task as done only to the client who did it', async () => {
    const built = await buildCase(stored.database, {
      clients: [{}, {}],
      matters: [{ documents: [{}, {}] }],
    });
    const [amelia, tom] = built.clientIds as [string, string];
    const [toRead = '', toSign = ''] = built.matters[0]?.documentIds ?? [];
    const of = { caseId: built.id, status: 'open' } as const;
    await buildTask(stored.database, { ...of, kind: 'read_document', documentId: toRead, title: 'read' });
    await buildTask(stored.database, { ...of, kind: 'sign_document', documentId: toSign, title: 'sign' });
    await buildTask(stored.database, { ...of, kind: 'contact_us', documentId: toSign, title: 'call' });
    const openFor = async (clientId: string) =>
      (await read({ id: built.id, clientId })).tasks
        .filter(({ status }) => status === 'open')
        .map(({ title }) => title)
        .sort();

    // Reading a document does not complete a task to sign it.
    await stored.database.insert(documentReads).values([
      { documentId: toRead, clientId: amelia },
      { documentId: toSign, clientId: amelia },
    ]);
    expect([await openFor(amelia), await openFor(tom)]).toEqual([
      ['call', 'sign'],
      ['call', 'read', 'sign'],
    ]);
    await buildSignature(stored.database, { documentId: toSign, clientId: amelia });
    expect([await openFor(amelia), await openFor(tom)]).toEqual([['call'], ['call', 'read', 'sign']]);
    const { tasks: hers } = await read({ id: built.id, clientId: amelia });
    expect(hers.map(({ status }) => status)).toEqual(['open', 'done', 'done']);
  });

  test('shows the current price of a search in its payment task', async () => {
    const built = await buildCase(stored.database, {
      matters: [{ searches: [{ priceNet: 10_000, priceVat: 2_000 }] }],
    });
    await stored.database.insert(tasks).values({
      id: newId(),
      caseId: built.id,
      matterId: built.matterId,
      reference: `T-${built.id}`,
      kind: 'pay_search',
      title: 'Pay for the local authority search',
      explanation: 'We order it when it is paid.',
      status: 'open',
      caseSearchId: built.caseSearchId,
      amount: 11_111,
      position: 0,
    });
    expect((await read(built)).tasks).toMatchObject([
      { kind: 'pay_search', amount: 12_000, case_search_id: built.caseSearchId, matter_id: built.matterId },
    ]);
  });

  test('reveals nothing about a search of another case that a task refers to', async () => {
    const other = await buildCase(stored.database);
    const built = await buildCase(stored.database, {
      tasks: [{ kind: 'pay_search', caseSearchId: other.caseSearchId }],
    });
    expect((await read(built)).tasks).toMatchObject([{ case_search_id: null, amount: null }]);
  });
});

describe('the unread documents of a case', () => {
  test('counts documents the client has not opened, only the latest version of each', async () => {
    const built = await buildCase(stored.database, {
      clients: [{}, {}],
      matters: [{ documents: [{}, {}, {}] }],
    });
    const [first, second] = built.matters[0]?.documentIds ?? [];
    const [amelia, tom] = built.clientIds as [string, string];
    const unread = async (clientId: string) => (await read({ id: built.id, clientId })).unread_documents;
    expect([await unread(amelia), await unread(tom)]).toEqual([3, 3]);

    await stored.database.insert(documentReads).values({ documentId: first ?? '', clientId: amelia });
    expect([await unread(amelia), await unread(tom)]).toEqual([2, 3]);

    const replace = (supersedesId: string | undefined) =>
      buildDocument(stored.database, { matterId: built.matterId, supersedesId: supersedesId ?? null });
    await replace(second);
    expect([await unread(amelia), await unread(tom)]).toEqual([2, 3]);
    await replace(first);
    expect([await unread(amelia), await unread(tom)]).toEqual([3, 3]);
  });
});

describe('amounts due and paid', () => {
  const money = async (built: { id: string; clientId: string }) => {
    const { amount_due, amount_paid } = await read(built);
    return { amount_due, amount_paid };
  };
  const paidAt = new Date('2026-05-01T10:00:00Z');

  test('adds unpaid searches and open payment tasks to the amount due', async () => {
    const built = await buildCase(stored.database, {
      matters: [
        { searches: [{ priceNet: 1_000, priceVat: 200 }, { status: 'ordered' }, { status: 'cancelled' }] },
        { searches: [{ priceNet: 300, priceVat: 0 }] },
      ],
      tasks: [
        { kind: 'pay', amount: 50_000 },
        { kind: 'pay', amount: 7_777, status: 'done' },
        { kind: 'pay_search', amount: 1_200 },
      ],
    });
    expect(await money(built)).toEqual({ amount_due: 51_500, amount_paid: 0 });
  });

  test('the amounts of a case ignore unfinished and cancelled payments', async () => {
    for (const status of ['requires_payment_method', 'requires_action', 'processing', 'cancelled'] as const) {
      const built = await buildCase(stored.database);
      await buildPayment(stored.database, {
        caseId: built.id,
        clientId: built.clientId,
        caseSearchId: built.caseSearchId,
        status,
      });
      expect(await money(built)).toEqual({ amount_due: 18_000, amount_paid: 0 });
    }
  });

  test('no longer counts a paid search as due, even before its status changes', async () => {
    const built = await buildCase(stored.database);
    const of = { caseId: built.id, clientId: built.clientId, caseSearchId: built.caseSearchId };
    await buildPayment(stored.database, { ...of, status: 'cancelled' });
    await buildPayment(stored.database, { ...of, status: 'succeeded' });
    expect(await money(built)).toEqual({ amount_due: 0, amount_paid: 18_000 });
  });

  test('counts payments less refunds of all clients on the case, and of no other case', async () => {
    const built = await buildCase(stored.database, { clients: [{}, {}], matters: [{ searches: [] }] });
    const other = await buildCase(stored.database, { clients: [{ id: built.clientId }] });
    const [amelia, tom] = built.clientIds as [string, string];
    const { database } = stored;
    await buildPayment(database, { caseId: built.id, clientId: amelia, amount: 20_000, status: 'succeeded' });
    await buildPayment(database, {
      caseId: built.id,
      clientId: tom,
      amount: 10_000,
      status: 'partially_refunded',
      refundedAmount: 4_000,
    });
    await buildPayment(database, { caseId: built.id, clientId: tom, amount: 9_000, status: 'refunded' });
    await buildPayment(database, { caseId: built.id, clientId: tom, amount: 8_000, status: 'processing' });
    await buildPayment(database, { caseId: other.id, clientId: amelia, amount: 77_000, status: 'succeeded' });
    expect(await money(built)).toEqual({ amount_due: 0, amount_paid: 26_000 });
    expect(await money({ id: built.id, clientId: tom })).toEqual({ amount_due: 0, amount_paid: 26_000 });
  });

  test('counts a search paid by another method once, even if it was also paid by card', async () => {
    const built = await buildCase(stored.database, {
      matters: [
        { searches: [{ status: 'ordered', paidAt }, { status: 'paid', paidAt }, { status: 'returned' }] },
      ],
    });
    expect(await money(built)).toEqual({ amount_due: 0, amount_paid: 36_000 });
    const [paidHere] = built.matters[0]?.searchIds ?? [];
    await buildPayment(stored.database, {
      caseId: built.id,
      clientId: built.clientId,
      caseSearchId: paidHere ?? '',
      amount: 18_000,
      status: 'succeeded',
    });
    expect(await money(built)).toEqual({ amount_due: 0, amount_paid: 36_000 });
  });

  test('shows no amount due on a case that is not active', async () => {
    for (const status of ['on_hold', 'completed', 'abandoned'] as const) {
      const built = await buildCase(stored.database, { status, tasks: [{ kind: 'pay', amount: 5_000 }] });
      expect(await money(built)).toEqual({ amount_due: 0, amount_paid: 0 });
    }
  });

  test('adds amounts exactly beyond the range of a 32-bit integer', async () => {
    const built = await buildCase(stored.database, { matters: [{ searches: [] }] });
    for (let n = 0; n < 3; n++) {
      const row = { matterId: built.matterId, priceNet: 2_000_000_001, priceVat: 0 };
      await buildCaseSearch(stored.database, row);
    }
    expect((await money(built)).amount_due).toBe(6_000_000_003);
  });
});
