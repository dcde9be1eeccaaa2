import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  sandboxCard,
  startTestPayment,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { createContinuity } from '../continuity/continuity.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';

const testDatabase = withTestDatabase();
const counted = withStatementCount(testDatabase);

test('a webhook about a payment that succeeded stores its event, and records everything in one transaction', async () => {
  const world = createPaymentWorld(testDatabase);
  const counting = { ...world.dependencies, database: counted.database };
  const continuity = createContinuity({ ...counting, highWaterMark: null });
  await continuity.compare();
  await buildFirm(testDatabase.database);
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const { intentId } = await startTestPayment(world.dependencies, { clientId, caseSearchId });
  await world.intents.confirm(intentId, sandboxCard());
  const [event] = await world.eventsOf(intentId);
  if (!event) throw new Error('there is no event');
  const dependencies = { ...counting, continuity };
  expect(await counted.listStatementsOf(() => handleWebhookEvent(dependencies, event))).toEqual([
    'store_provider_event',
    'read_payment_continuity',
    'begin',
    'find_payment_of_intent',
    'lock_search',
    'lock_payment_of_intent',
    // The payer's address, the receipt's email and its job.
    'select "first_name",',
    'insert into',
    'select graphile_worker.add_job(',
    'mark_search_paid',
    'read_case_at_payment',
    // The job that files the request to order.
    'select graphile_worker.add_job(',
    'record_payment_history',
    'next_receipt_number',
    'update "payments"',
    // The job that writes the receipt's number into the intent.
    'select graphile_worker.add_job(',
    'close_provider_events',
    'commit',
  ]);
  // A repeated webhook only finds that its event was processed.
  expect(await counted.listStatementsOf(() => handleWebhookEvent(dependencies, event))).toEqual([
    'store_provider_event',
  ]);
});
