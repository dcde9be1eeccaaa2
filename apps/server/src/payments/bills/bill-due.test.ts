import { addDays, londonDay } from '@keyturn/format/london-time';
import { buildBill, buildCase, buildFirm, withTestServer } from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BillRow } from './bills-store.ts';

const server = withTestServer();
beforeAll(() => buildFirm(server.database));

const today = londonDay(new Date());
const tomorrow = addDays(today, 1);

/** Two clients of a case with nothing to pay except its bills. */
async function createCase() {
  const { id: caseId, clientIds, matterId } = await buildCase(server.database, { clients: [{}, {}] });
  await server.pool.query('delete from case_searches where matter_id = $1', [matterId]);
  await server.pool.query('delete from tasks where case_id = $1', [caseId]);
  const [clientId = '', jointClientId = ''] = clientIds;
  const call = async (method: 'GET' | 'POST', path: string, { by = clientId, payload = {} } = {}) =>
    (
      await server.app.inject({
        method,
        url: `/api${path}`,
        headers: await server.signInAs(by),
        ...(method === 'POST' ? { payload } : {}),
      })
    ).json().data;
  return {
    caseId,
    matterId,
    jointClientId,
    call,
    bill: (change: Partial<BillRow> = {}) =>
      buildBill(server.database, { caseId, matterId, issuedOn: today, ...change }),
    /** The amounts and tasks that the home page and the header show. */
    home: async (by = clientId) => {
      const { tasks, amount_due, amount_due_later } = (await call('GET', '/client', { by }))
        .conveyancing_case;
      return { tasks, amount_due, amount_due_later };
    },
  };
}

describe('a bill that is due', () => {
  test.each([
    ['without a day, since it was issued', {}],
    ['today', { dueOn: today }],
    ['since yesterday', { dueOn: addDays(today, -1) }],
  ])('a bill %s is a task of both clients and due now', async (_case, change) => {
    const { home, bill, jointClientId, call } = await createCase();
    const { id, number, dueOn } = await bill(change);
    for (const shown of [await home(), await home(jointClientId)]) {
      expect(shown).toMatchObject({
        tasks: [
          {
            kind: 'pay_bill',
            bill_id: id,
            title: `Pay our bill ${number}`,
            due_on: dueOn ?? today,
            status: 'open',
            amount: 27_600,
          },
        ],
        amount_due: 27_600,
        amount_due_later: 0,
      });
    }
    expect(await call('GET', '/bills')).toMatchObject([{ id, is_due: true, left: 27_600 }]);
  });

  test('a due bill comes before tasks that are due later, and after overdue ones', async () => {
    const { caseId, home, bill } = await createCase();
    const task = (reference: string, dueOn: string | null) =>
      server.pool.query(
        `insert into tasks (id, case_id, reference, kind, title, explanation, due_on, status, position)
         values (gen_random_uuid(), $1, $2, 'contact_us', $2, '', $3, 'open', 0)`,
        [caseId, reference, dueOn],
      );
    await task(`overdue ${caseId}`, addDays(today, -3));
    await task(`whenever ${caseId}`, null);
    await bill({ dueOn: today });
    const { tasks } = await home();
    expect(
      tasks.map(({ kind, title }: { kind: string; title: string }) => [title.split(' ')[0], kind]),
    ).toEqual([
      ['overdue', 'contact_us'],
      ['Pay', 'pay_bill'],
      ['whenever', 'contact_us'],
    ]);
  });

  test('a due bill is reduced by payments by other means, and is not due once it is paid or cancelled', async () => {
    const { home, bill } = await createCase();
    await bill({ paidOtherwise: 20_000 });
    await bill({ paidOtherwise: 27_600 });
    await bill({ status: 'cancelled' });
    expect(await home()).toMatchObject({ tasks: [{ amount: 7_600 }], amount_due: 7_600 });
  });

  test('a due bill stays a task without an amount while a client pays it, and disappears while the bank is processing', async () => {
    const { home, bill, call } = await createCase();
    const { id } = await bill();
    const payload = { category: 'legal_fees', bill_id: id, amount: 27_600, own_card: true };
    const { payment_id } = await call('POST', '/other-payments', { payload });
    expect(await home()).toMatchObject({ tasks: [{ bill_id: id, amount: null }], amount_due: 27_600 });
    await server.pool.query("update payments set status = 'processing' where id = $1", [payment_id]);
    expect(await home()).toMatchObject({ tasks: [], amount_due: 0 });
  });

  test('a due bill of another case is not shown', async () => {
    const [mine, other] = [await createCase(), await createCase()];
    await other.bill();
    expect(await mine.home()).toEqual({ tasks: [], amount_due: 0, amount_due_later: 0 });
  });
});

describe('a bill that is not due', () => {
  test('a bill that is not yet due is no task, and counts as due later', async () => {
    const { home, bill, call } = await createCase();
    await bill({ dueOn: tomorrow });
    expect(await home()).toEqual({ tasks: [], amount_due: 0, amount_due_later: 27_600 });
    expect(await call('GET', '/bills')).toMatchObject([{ due_on: tomorrow, is_due: false }]);
  });

  test('a bill due on completion shows the planned day, and becomes due when the matter completes', async () => {
    const { matterId, home, bill, call } = await createCase();
    const complete = (column: string, day: string) =>
      server.pool.query(`update matters set ${column} = $2 where id = $1`, [matterId, day]);
    await complete('target_completion_on', tomorrow);
    await bill({ dueOnCompletion: true });
    expect(await home()).toEqual({ tasks: [], amount_due: 0, amount_due_later: 27_600 });
    expect(await call('GET', '/bills')).toMatchObject([
      { due_on: tomorrow, due_on_completion: true, is_due: false },
    ]);
    // A planned day that has passed is not a completion.
    await complete('target_completion_on', addDays(today, -1));
    expect(await home()).toMatchObject({ tasks: [], amount_due: 0 });
    await complete('completed_on', today);
    expect(await home()).toMatchObject({
      tasks: [{ due_on: today }],
      amount_due: 27_600,
      amount_due_later: 0,
    });
  });
});
