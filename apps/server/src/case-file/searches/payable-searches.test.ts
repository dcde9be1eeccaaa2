import { buildCase, buildFirm, buildTask, withTestDatabase } from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { caseSearches, tasks } from '../../schema/tables/tables.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { payableSearches } from './payable-searches.ts';

const stored = withTestDatabase();

const lock = (of: { clientId: string; caseSearchId: string }) =>
  stored.database.transaction((transaction) => payableSearches.lock(transaction, of));

describe('locking a search for payment', () => {
  test('locking a search returns its price and whether it awaits payment', async () => {
    const built = await buildCase(stored.database);
    expect(await lock(built)).toEqual({
      id: built.caseSearchId,
      caseId: built.id,
      matterId: built.matterId,
      name: 'Local authority search',
      order: {
        wording: '2026-12-unknown',
        words:
          'Please order this search now, even if my cancellation period is still running. This does not affect any right I have to cancel your services. Refunded in full until we have ordered it.',
      },
      price: { net: 15_000, vat_rate: 20, vat: 3_000, gross: 18_000 },
      awaitsPayment: true,
      awaitsIdentityCheck: false,
      clientName: 'Rowan Ashdown',
      statement: null,
    });
  });

  test('locking a search returns what the payer’s statement names, once a firm was imported', async () => {
    const built = await buildCase(stored.database);
    const { name } = await buildFirm(stored.database);
    const { rows } = await stored.pool.query<{ reference: string }>(
      'select reference from conveyancing_cases where id = $1',
      [built.id],
    );
    expect((await lock(built))?.statement).toEqual({ firmName: name, caseReference: rows[0]?.reference });
  });

  test('a locked search does not await payment once ordered, or when the case is not active', async () => {
    const ordered = await buildCase(stored.database, { matters: [{ searches: [{ status: 'ordered' }] }] });
    const onHold = await buildCase(stored.database, { status: 'on_hold' });
    expect((await lock(ordered))?.awaitsPayment).toBe(false);
    expect((await lock(onHold))?.awaitsPayment).toBe(false);
  });

  test('a locked search does not await payment when the price is zero', async () => {
    const free = await buildCase(stored.database, {
      matters: [{ searches: [{ priceNet: 0, priceVat: 0, priceGross: 0 }] }],
    });
    expect((await lock(free))?.awaitsPayment).toBe(false);
  });

  test('locking a search finds none of another client', async () => {
    const [mine, otherCase] = [await buildCase(stored.database), await buildCase(stored.database)];
    expect(await lock({ clientId: mine.clientId, caseSearchId: otherCase.caseSearchId })).toBeNull();
    expect(await lock({ clientId: mine.clientId, caseSearchId: newId() })).toBeNull();
  });

  test.each([
    ['by a client', payableSearches.lock],
    [
      'by its id',
      (transaction: Transaction, of: { caseSearchId: string }) =>
        payableSearches.lockById(transaction, of.caseSearchId),
    ],
  ])(
    'a search that is locked %s makes a second payer wait and see the first payment',
    async (_how, first) => {
      const built = await buildCase(stored.database, { clients: [{}, {}] });
      const [amelia, tom] = built.clientIds as [string, string];
      const { caseSearchId } = built;
      let second: ReturnType<typeof lock> | undefined;
      await stored.database.transaction(async (transaction) => {
        await first(transaction, { clientId: amelia, caseSearchId });
        second = lock({ clientId: tom, caseSearchId });
        await untilBlocked(stored);
        await payableSearches.markPaid(transaction, caseSearchId, new Date());
      });
      expect((await second)?.awaitsPayment).toBe(false);
    },
  );
});

describe('marking a search as paid', () => {
  const paidAt = new Date('2026-05-04T09:00:00.123Z');
  const markPaid = (caseSearchId: string) =>
    stored.database.transaction((transaction) => payableSearches.markPaid(transaction, caseSearchId, paidAt));
  const stateOf = async (caseSearchId: string) => {
    const [search] = await stored.database
      .select()
      .from(caseSearches)
      .where(eq(caseSearches.id, caseSearchId));
    return { status: search?.status, paidAt: search?.paidAt };
  };

  test('marking a search as paid completes its payment tasks, and changes no other task or search', async () => {
    const built = await buildCase(stored.database, { matters: [{ searches: [{}, {}] }] });
    const [paid = '', other = ''] = built.matters[0]?.searchIds ?? [];
    const task = (caseSearchId: string, kind: 'pay_search' | 'contact_us') =>
      buildTask(stored.database, { caseId: built.id, caseSearchId, kind });
    const toPay = await task(paid, 'pay_search');
    const others = [await task(other, 'pay_search'), await task(paid, 'contact_us')];
    expect(await markPaid(paid)).toBe(true);
    expect(await stateOf(paid)).toEqual({ status: 'paid', paidAt });
    expect(await stateOf(other)).toEqual({ status: 'awaiting_payment', paidAt: null });
    const done = await stored.database.select({ id: tasks.id }).from(tasks).where(eq(tasks.status, 'done'));
    expect(done).toEqual([{ id: toPay.id }]);
    expect(others).toHaveLength(2);
  });

  test('a webhook event says which task a client completed by paying for a search', async () => {
    await stored.pool.query(
      `insert into webhook_endpoints (id, url, description, event_types, state, created_at, updated_at)
       values (gen_random_uuid(), 'https://firm.test', 'A test', '{task.completed}', 'enabled', now(), now())`,
    );
    const built = await buildCase(stored.database);
    const { caseSearchId } = built;
    const { reference } = await buildTask(stored.database, {
      caseId: built.id,
      caseSearchId,
      kind: 'pay_search',
    });
    await markPaid(caseSearchId);
    await markPaid(caseSearchId);
    const { rows } = await stored.pool.query("select type, data ->> 'task' as task from webhook_events");
    expect(rows).toEqual([{ type: 'task.completed', task: reference }]);
  });

  test('marking a search as paid does not change one that has moved past payment', async () => {
    const earlier = new Date('2026-04-01T00:00:00Z');
    const built = await buildCase(stored.database, {
      matters: [{ searches: [{ status: 'ordered', paidAt: earlier }] }],
    });
    expect(await markPaid(built.caseSearchId)).toBe(false);
    expect(await stateOf(built.caseSearchId)).toEqual({ status: 'ordered', paidAt: earlier });
  });
});
