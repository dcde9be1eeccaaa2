import {
  buildCase,
  createPaymentWorld,
  ownCard,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { createContinuity } from '../continuity/continuity.ts';
import { createAccountKeys } from '../provider/account-keys.ts';
import { findPayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { readConfirmation } from './confirmation.ts';
import { findOrCreatePayment } from './find-or-create-payment.ts';
import { startSearchPayment } from './start-search-payment.ts';
import { commitStartedPayment } from './start-store.ts';

const testDatabase = withTestDatabase();
const counted = withStatementCount(testDatabase);

/** A client with a search, on a server that has already compared its record with the provider. */
async function openWorld() {
  const { dependencies } = createPaymentWorld(testDatabase);
  const counting = { ...dependencies, database: counted.database };
  const continuity = createContinuity({ ...counting, highWaterMark: null });
  await continuity.compare();
  const accountKeys = createAccountKeys(counting);
  await accountKeys.check('sandbox');
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const request = {
    clientId,
    caseSearchId,
    confirmed: ownCard,
    idempotencyKey: caseSearchId,
    address: '198.51.100.7',
  };
  return { dependencies: { ...counting, continuity, accountKeys }, request };
}

describe('the statements of starting a payment', () => {
  test('starts a payment with one transaction and the stored intent', async () => {
    const { dependencies, request } = await openWorld();
    const started = await counted.listStatementsOf(() => startSearchPayment(dependencies, request));
    expect(started).toEqual([
      'read_payment_continuity',
      'begin',
      'lock_search_to_pay',
      'find_start_facts',
      'insert_started_payment',
      'commit',
      'store_intent_id',
    ]);
  });

  test('starting a payment returns it as stored', async () => {
    const { dependencies, request } = await openWorld();
    const { clientId, caseSearchId, confirmed, address } = request;
    const { payment } = await runTransaction(dependencies.database, (transaction) =>
      findOrCreatePayment(dependencies, transaction, {
        kind: 'search',
        payer: { clientId, address },
        caseSearchId,
        shownPrice: undefined,
        confirmation: readConfirmation(confirmed, 'search'),
        idempotencyKey: caseSearchId,
      }),
    );
    expect(payment).toEqual(await findPayment(dependencies.database, payment.id));
  });

  test('starting a payment stores nothing if the key was used after it was looked up', async () => {
    const { dependencies, request } = await openWorld();
    const { database } = dependencies;
    const { payment_id: id } = await startSearchPayment(dependencies, request);
    const payment = await findPayment(database, id);
    const again = runTransaction(database, (transaction) =>
      commitStartedPayment(transaction, {
        payment: {
          ...(payment as PaymentRow),
          id: newId(),
          kind: 'other',
          caseSearchId: null,
          providerIdempotencyKey: 'another',
        },
        subjects: { clientId: request.clientId, address: null },
        key: { key: request.idempotencyKey, contentHash: Buffer.alloc(32) },
      }),
    );
    await expect(again).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    const { rows } = await testDatabase.pool.query('select id from payments where client_id = $1', [
      request.clientId,
    ]);
    expect(rows).toEqual([{ id }]);
  });

  test('commits the payment and its keys before the provider is asked', async () => {
    const { dependencies, request } = await openWorld();
    const { provider } = dependencies;
    let atProvider: unknown;
    await startSearchPayment(
      {
        ...dependencies,
        provider: {
          ...provider,
          createIntent: async (terms) => {
            const { rows } = await testDatabase.pool.query(
              `select payment.provider_idempotency_key as provider_key, stored.key, attempt.kind
               from payments payment
               join payment_idempotency_keys stored on stored.payment_id = payment.id
               join payment_attempts attempt on attempt.payment_id = payment.id
               where payment.id = $1`,
              [terms.paymentId],
            );
            atProvider = rows;
            return provider.createIntent(terms);
          },
        },
      },
      request,
    );
    expect(atProvider).toEqual([
      { provider_key: expect.stringMatching(/^create-intent:/), key: request.idempotencyKey, kind: 'start' },
    ]);
  });
});
