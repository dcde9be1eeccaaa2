import { buildCase, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { readCaseHistory } from './read-case-history.ts';
import { paymentHistory } from './record-payment.ts';

const stored = withTestDatabase();

const occurredAt = new Date('2026-05-04T09:00:00.123Z');
const summary = 'You paid £180.00 for the local authority search.';

test('records a payment in the history of its case under the payer’s name', async () => {
  const { id, clientId } = await buildCase(stored.database, {
    clients: [{ firstName: '小龍', lastName: "O'Brien" }],
  });
  await stored.database.transaction((transaction) =>
    paymentHistory.record(transaction, { caseId: id, occurredAt, clientId, summary }),
  );
  expect((await readCaseHistory({ limit: 5 }).forClient(stored.database, clientId)).data).toMatchObject([
    {
      occurred_at: '2026-05-04T09:00:00.123Z',
      category: 'payment',
      actor: "小龍 O'Brien",
      summary,
      link: null,
    },
  ]);
});

test('records a payment of a client who no longer exists', async () => {
  const { id, clientId } = await buildCase(stored.database);
  await stored.database.transaction((transaction) =>
    paymentHistory.record(transaction, { caseId: id, occurredAt, clientId: newId(), summary }),
  );
  expect((await readCaseHistory({ limit: 5 }).forClient(stored.database, clientId)).data).toMatchObject([
    { actor: 'A client' },
  ]);
});

test('records nothing when the payment is rolled back', async () => {
  const { id, clientId } = await buildCase(stored.database);
  const rolledBack = stored.database.transaction(async (transaction) => {
    await paymentHistory.record(transaction, { caseId: id, occurredAt, clientId, summary });
    throw new Error('the payment failed');
  });
  await expect(rolledBack).rejects.toThrow('the payment failed');
  expect((await readCaseHistory({ limit: 5 }).forClient(stored.database, clientId)).meta.total).toBe(0);
});
