import {
  buildCase,
  buildPayment,
  createPaymentWorld,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { readPayments } from './read-payment.ts';

const testDatabase = withTestDatabase();

const list = (clientId: string) => readPayments({}).forClient(testDatabase.database, clientId);

describe('the payments of a client', () => {
  test('lists the payments of the active case, the joint client’s included, newest first', async () => {
    const { id: caseId, clientIds } = await buildCase(testDatabase.database, { clients: [{}, {}] });
    const [amelia = '', tom = ''] = clientIds;
    const older = await buildCase(testDatabase.database, { clients: [{ id: amelia }], status: 'completed' });
    await buildPayment(testDatabase.database, { caseId: older.id, clientId: amelia });
    const on = (day: number) => ({ createdAt: new Date(Date.UTC(2026, 4, day)) });
    const second = await buildPayment(testDatabase.database, { caseId, clientId: tom, ...on(2) });
    const first = await buildPayment(testDatabase.database, { caseId, clientId: amelia, ...on(1) });
    const third = await buildPayment(testDatabase.database, {
      caseId,
      clientId: amelia,
      status: 'succeeded',
      ...on(3),
    });
    expect((await list(amelia)).map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
  });

  test('leaves out only payments that were cancelled before any card was tried', async () => {
    const { dependencies, intents } = createPaymentWorld(testDatabase);
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const cancelledIds: string[] = [];
    for (const number of [undefined, '4000000000000002', '4929000000006666', '4000000000003220', undefined]) {
      const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
      if (number) {
        await intents.confirm(intentId, sandboxCard(number));
        await startTestPayment(dependencies, { clientId, caseSearchId });
        cancelledIds.unshift(paymentId);
      }
      await cancelPayment(dependencies, { clientId, paymentId });
    }
    expect((await list(clientId)).map(({ id }) => id)).toEqual(cancelledIds);
  });

  test('lists no payments for a client without a case', async () => {
    const { id, clientId } = await buildCase(testDatabase.database);
    await testDatabase.pool.query('delete from case_clients where case_id = $1', [id]);
    expect(await list(clientId)).toEqual([]);
  });
});
