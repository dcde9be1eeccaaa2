import {
  buildCase,
  createPaymentWorld,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { replaceCaseClients } from '../../case-file/people/replace-case-clients.ts';
import { disableClient, enableClient } from '../../people/clients/disable-client.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { runEraseClient } from '../../records/data-protection/erasure/erase-client-command.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { cancelPaymentsHandler } from './cancel-payments-of-client.ts';

const stored = withFreshTestDatabase();

/** Two joint clients, each with an open payment for a search. */
async function jointPayers() {
  const world = createPaymentWorld(stored);
  const { dependencies, intents } = world;
  const built = await buildCase(stored.database, {
    clients: [{ email: 'amelia@example.test', reference: 'AMELIA' }, { email: 'tom@example.test' }],
    matters: [{ searches: [{}, {}, {}] }],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  const [first = '', second = ''] = built.matters[0]?.searchIds ?? [];
  const hers = await startTestPayment(dependencies, { clientId: amelia, caseSearchId: first });
  const his = await startTestPayment(dependencies, { clientId: tom, caseSearchId: second });
  const statusOf = async (paymentId: string) =>
    (await stored.pool.query('select status from payments where id = $1', [paymentId])).rows[0].status;
  return {
    ...world,
    ...built,
    amelia,
    tom,
    hers,
    his,
    statusOf,
    disable: () =>
      runTransaction(stored.database, (transaction) => disableClient(transaction, amelia, new Date())),
    remove: () =>
      runTransaction(stored.database, (transaction) =>
        replaceCaseClients(transaction, [{ caseId: built.id, clientId: tom }]),
      ),
    erase: async (confirm: string | null) => {
      const lines: string[] = [];
      const command = { email: 'amelia@example.test', confirm, earlyReason: 'they asked' };
      const code = await runEraseClient(dependencies, command, (line) => lines.push(line));
      return { code, text: lines.join('\n') };
    },
    pay: ({ intentId }: { intentId: string }) => intents.confirm(intentId, sandboxCard()),
  };
}

/** Runs the jobs that wait, as the queue does: a job that fails waits again. @returns their number */
async function runJobs(dependencies: PaymentDependencies): Promise<number> {
  const { rows } = await stored.pool.query(
    `select job.id, job.payload from graphile_worker._private_jobs job
     join graphile_worker.jobs named on named.id = job.id
     where task_identifier = 'cancel-payments-of-client'`,
  );
  for (const { id, payload } of rows) {
    await cancelPaymentsHandler(dependencies).work(payload);
    await stored.pool.query('delete from graphile_worker._private_jobs where id = $1', [id]);
  }
  return rows.length;
}

test.each(['disable', 'remove'] as const)(
  'a joint client’s open payments are cancelled at the provider, and not the other client’s (%s)',
  async (change) => {
    const payers = await jointPayers();
    await payers[change]();
    expect(await runJobs(payers.dependencies)).toBe(1);
    expect(await payers.statusOf(payers.hers.paymentId)).toBe('cancelled');
    expect(await payers.pay(payers.hers)).toMatchObject({ status: 'canceled' });
    expect(await payers.statusOf(payers.his.paymentId)).toBe('requires_payment_method');
    expect(await payers.pay(payers.his)).toMatchObject({ status: 'succeeded' });
    // The search can be paid by the client who stays.
    const [caseSearchId = ''] = payers.matters[0]?.searchIds ?? [];
    await startTestPayment(payers.dependencies, { clientId: payers.tom, caseSearchId });
  },
);

test('a client who may open the case again before the job runs keeps their open payment', async () => {
  const { dependencies, amelia, disable, hers, statusOf } = await jointPayers();
  await disable();
  await runTransaction(stored.database, (transaction) => enableClient(transaction, amelia, new Date()));
  await runJobs(dependencies);
  expect(await statusOf(hers.paymentId)).toBe('requires_payment_method');
});

test('a payment that a removed client made before it could be cancelled is recorded as paid', async () => {
  const { dependencies, remove, hers, pay, statusOf } = await jointPayers();
  await pay(hers);
  await remove();
  await runJobs(dependencies);
  expect(await statusOf(hers.paymentId)).toBe('succeeded');
});

test('an edit that keeps the clients of a case cancels no payment', async () => {
  const { dependencies, id: caseId, amelia, tom } = await jointPayers();
  const pairs = [amelia, tom].map((clientId) => ({ caseId, clientId }));
  await runTransaction(stored.database, (transaction) => replaceCaseClients(transaction, pairs));
  expect(await runJobs(dependencies)).toBe(0);
});

test('a server that dies or a provider that is unavailable leaves the cancellation in the queue, which repeats it', async () => {
  const { dependencies, remove, hers, statusOf } = await jointPayers();
  await remove();
  const { provider } = dependencies;
  for (const cancelIntent of [
    async () => Promise.reject(new ProviderUnavailable('down')),
    async (intentId: string) => {
      await provider.cancelIntent(intentId);
      throw new ProviderUnavailable('killed');
    },
  ]) {
    await expect(runJobs({ ...dependencies, provider: { ...provider, cancelIntent } })).rejects.toThrow();
  }
  expect(await runJobs(dependencies)).toBe(1);
  expect(await statusOf(hers.paymentId)).toBe('cancelled');
  await remove();
  expect(await runJobs(dependencies)).toBe(0);
});

test('a payment that never reached the provider is cancelled with its removed client', async () => {
  const { dependencies, amelia, matters, remove } = await jointPayers();
  const { provider } = dependencies;
  const down = { ...provider, createIntent: () => Promise.reject(new ProviderUnavailable('down')) };
  const caseSearchId = matters[0]?.searchIds[2] ?? '';
  await expect(
    startTestPayment({ ...dependencies, provider: down }, { clientId: amelia, caseSearchId }),
  ).rejects.toThrow();
  await remove();
  await runJobs(dependencies);
  const { rows } = await stored.pool.query('select status from payments where case_search_id = $1', [
    caseSearchId,
  ]);
  expect(rows).toEqual([{ status: 'cancelled' }]);
});

test('no payment of a removed client is cancelled while payments are paused after a restore', async () => {
  const { dependencies, remove, hers, statusOf } = await jointPayers();
  await remove();
  const checkOpen = () => Promise.reject(new Error('payments are paused'));
  const paused = { ...dependencies, continuity: { ...dependencies.continuity, checkOpen } };
  await expect(runJobs(paused)).rejects.toThrow('paused');
  expect(await statusOf(hers.paymentId)).toBe('requires_payment_method');
});

test('a confirmed erasure that only open payments prevent cancels the client’s own, and can then be repeated', async () => {
  const { dependencies, id, erase, hers, his, statusOf, pay } = await jointPayers();
  expect(await erase('AMELIA')).toMatchObject({
    code: 1,
    text: expect.not.stringContaining('being cancelled'),
  });
  expect(await runJobs(dependencies)).toBe(0);
  await stored.pool.query(
    "update conveyancing_cases set status = 'completed', closed_at = now() where id = $1",
    [id],
  );
  await pay(his);
  await syncPaymentFromProvider(dependencies, his.intentId, { name: 'test' });
  expect((await erase(null)).text).not.toContain('being cancelled');
  expect(await runJobs(dependencies)).toBe(0);
  expect(await erase('AMELIA')).toMatchObject({ code: 1, text: expect.stringContaining('being cancelled') });
  expect(await runJobs(dependencies)).toBe(1);
  expect(await statusOf(hers.paymentId)).toBe('cancelled');
  expect(await erase('AMELIA')).toMatchObject({ code: 0, text: expect.stringContaining('Erasure') });
});
