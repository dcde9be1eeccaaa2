import {
  buildCase,
  createPaymentWorld,
  ownCard,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { createAccountKeys } from '../provider/account-keys.ts';
import { createContinuity } from '../recovery/continuity.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();
const counted = withStatementCount(testDatabase);

/** A client with a search, on a server that has already compared its record with the provider. */
async function openWorld() {
  const { dependencies } = createPaymentWorld(testDatabase);
  const counting = { ...dependencies, database: counted.database };
  const continuity = createContinuity({ ...counting, witness: null });
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
