import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import type { Alert } from '../intents/dispute-alerts.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { ProviderDispute } from '../ports/disputes.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { readPayment } from '../records/read-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { checkDisputes } from './check-disputes-job.ts';

// The job covers every payment in the database, so each test gets a fresh database.
const testDatabase = withFreshTestDatabase();

const day = 86_400_000;

/** A payment world with a clock that the test moves, which keeps its alerts and counts retrieved intents. */
function watchedWorld() {
  const clock = createTestClock('2026-10-01T09:00:00Z');
  const alerts: Alert[] = [];
  const retrieved: string[] = [];
  const world = createPaymentWorld(testDatabase, {
    clock,
    provider: (real) => ({
      retrieveIntent: (intentId) => {
        retrieved.push(intentId);
        return real.retrieveIntent(intentId);
      },
    }),
    dependencies: { alertOperator: (message, details) => void alerts.push({ message, details }) },
  });
  return { ...world, clock, alerts, retrieved };
}
type World = ReturnType<typeof watchedWorld>;

async function payFor({ dependencies, intents }: World, card = sandboxCard()) {
  const built = await buildCase(testDatabase.database);
  const started = await startTestPayment(dependencies, built);
  await intents.confirm(started.intentId, card);
  await syncPaymentFromProvider(dependencies, started.intentId, { name: 'test' });
  return { ...started, clientId: built.clientId, caseId: built.id, reference: built.reference };
}

const disputesOf = async (paymentId: string) =>
  (
    await testDatabase.pool.query(
      `select provider_dispute_id, is_inquiry, status, outcome, reason_code, amount, submissions,
         withdrawn_amount, reinstated_amount
       from disputes where payment_id = $1 order by opened_at`,
      [paymentId],
    )
  ).rows;
const historyOf = async (caseId: string) =>
  (
    await testDatabase.pool.query(
      "select summary from history_entries where case_id = $1 and category = 'payment' and summary not like '% paid £%for%' order by created_at",
      [caseId],
    )
  ).rows.map(({ summary }) => summary);

describe('disputes', () => {
  test('fault 74: looks up no disputes while payments are paused after a restore, and catches up afterwards', async () => {
    const world = watchedWorld();
    const { intentId, paymentId } = await payFor(world);
    await checkDisputes(world.dependencies);
    await world.disputes.open(intentId);
    const checkOpen = () => Promise.reject(new DomainError('payments_paused'));
    world.clock.advance(3 * day);
    await checkDisputes({
      ...world.dependencies,
      continuity: { ...world.dependencies.continuity, checkOpen },
    });
    expect(await disputesOf(paymentId)).toEqual([]);
    await checkDisputes(world.dependencies);
    expect(await disputesOf(paymentId)).toHaveLength(1);
  });

  test('fault 77: finds the dispute of a payment that is 40 days old and whose webhook was lost', async () => {
    const world = watchedWorld();
    const { intentId, paymentId, clientId, reference, amount } = await payFor(world);
    await checkDisputes(world.dependencies);
    world.clock.advance(40 * day);
    await checkDisputes(world.dependencies);
    const { id } = await world.disputes.open(intentId);
    world.clock.advance(3_600_000);
    await checkDisputes(world.dependencies);
    expect(await disputesOf(paymentId)).toEqual([
      {
        provider_dispute_id: id,
        is_inquiry: false,
        status: 'needs_response',
        outcome: null,
        reason_code: '10.4',
        amount,
        submissions: 0,
        withdrawn_amount: amount,
        reinstated_amount: 0,
      },
    ]);
    expect(
      (await readPayment(paymentId).forClient(world.dependencies.database, clientId)).dispute,
    ).toMatchObject({
      status: 'open',
      amount,
    });
    expect(world.alerts).toMatchObject([
      {
        message: 'a payment is disputed: answer it at the provider before its deadline',
        details: { payment: paymentId, case: reference, dispute: id, amount },
      },
    ]);
  });

  test('finds a dispute that was opened while the server was down for months', async () => {
    const world = watchedWorld();
    const { intentId, paymentId } = await payFor(world);
    await checkDisputes(world.dependencies);
    world.clock.advance(30 * day);
    await world.disputes.open(intentId);
    world.clock.advance(90 * day);
    await checkDisputes(world.dependencies);
    expect(await disputesOf(paymentId)).toHaveLength(1);
  });

  test('finds a dispute that the provider lists some hours after its date', async () => {
    const world = watchedWorld();
    const { intentId, paymentId } = await payFor(world);
    await world.disputes.open(intentId);
    world.clock.advance(3_600_000);
    const { provider } = world.dependencies;
    await checkDisputes({ ...world.dependencies, provider: { ...provider, listDisputes: async () => [] } });
    world.clock.advance(3_600_000);
    await checkDisputes(world.dependencies);
    expect(await disputesOf(paymentId)).toHaveLength(1);
  });

  test('the next lookup of disputes starts at the last successful one if the provider was unavailable', async () => {
    const world = watchedWorld();
    const { intentId, paymentId } = await payFor(world);
    await checkDisputes(world.dependencies);
    world.clock.advance(10 * day);
    await world.disputes.open(intentId);
    const { provider } = world.dependencies;
    const unavailable = {
      ...world.dependencies,
      provider: {
        ...provider,
        listDisputes: async (): Promise<ProviderDispute[]> => {
          throw new ProviderUnavailable('down');
        },
      },
    };
    for (let days = 0; days < 5; days += 1) {
      world.clock.advance(day);
      await expect(checkDisputes(unavailable)).rejects.toThrow(ProviderUnavailable);
    }
    expect(await disputesOf(paymentId)).toEqual([]);
    await checkDisputes(world.dependencies);
    expect(await disputesOf(paymentId)).toHaveLength(1);
  });

  test('records a dispute’s answer and decision after lost webhooks, even a decision that is corrected later', async () => {
    const world = watchedWorld();
    const { intentId, paymentId, caseId, amount } = await payFor(world);
    const { id } = await world.disputes.open(intentId, { isInquiry: true });
    const steps = async (...changes: (() => Promise<unknown>)[]) => {
      for (const change of changes) {
        await change();
        world.clock.advance(day);
        await checkDisputes(world.dependencies);
      }
      return disputesOf(paymentId);
    };
    expect(
      await steps(
        async () => {},
        () => world.disputes.escalate(id),
      ),
    ).toMatchObject([{ is_inquiry: false, status: 'needs_response' }]);
    expect(await steps(() => world.disputes.answer(id))).toMatchObject([
      { status: 'under_review', submissions: 1 },
    ]);
    expect(await steps(() => world.disputes.decide(id, 'won'))).toMatchObject([
      { status: 'closed', outcome: 'won', reinstated_amount: amount },
    ]);
    const correction = () =>
      testDatabase.pool.query("update sandbox_disputes set status = 'lost' where id = $1", [id]);
    expect(await steps(correction)).toMatchObject([{ status: 'closed', outcome: 'lost' }]);
    expect(await historyOf(caseId)).toEqual([
      expect.stringMatching(/^The card’s bank asked us about £/),
      expect.stringMatching(/^The card’s bank disputed £/),
      expect.stringMatching(/^The card’s bank settled the dispute in our favour: £/),
      expect.stringMatching(/^The card’s bank took back £/),
    ]);
  });

  test('a payment can have several disputes, each with its own state', async () => {
    const world = watchedWorld();
    const { intentId, paymentId, clientId } = await payFor(world);
    const first = await world.disputes.open(intentId, { amount: 1_000 });
    await world.disputes.decide(first.id, 'won');
    world.clock.advance(day);
    await world.disputes.open(intentId, { amount: 2_000, reason: 'duplicate', reasonCode: '12.6.1' });
    await checkDisputes(world.dependencies);
    expect(await disputesOf(paymentId)).toMatchObject([
      { amount: 1_000, outcome: 'won' },
      { amount: 2_000, outcome: null, reason_code: '12.6.1' },
    ]);
    expect(
      (await readPayment(paymentId).forClient(world.dependencies.database, clientId)).dispute,
    ).toMatchObject({
      status: 'open',
      amount: 2_000,
    });
  });

  test('looks up a dispute, warning or review of another installation’s payment only once', async () => {
    const world = watchedWorld();
    await payFor(world);
    const foreign = await world.dependencies.provider.createIntent({
      paymentId: 'another system',
      caseId: 'none',
      kind: 'search',
      method: 'card',
      amount: 500,
      currency: 'gbp',
      description: 'not ours',
      idempotencyKey: 'foreign',
    });
    await world.intents.confirm(foreign.intentId, sandboxCard());
    await world.disputes.open(foreign.intentId);
    world.retrieved.length = 0;
    for (let runs = 0; runs < 3; runs += 1) await checkDisputes(world.dependencies);
    expect(world.retrieved).toEqual([foreign.intentId]);
    await world.disputes.warn(foreign.intentId);
    await world.disputes.openReview(foreign.intentId);
    for (let runs = 0; runs < 3; runs += 1) await checkDisputes(world.dependencies);
    expect(world.retrieved).toEqual([foreign.intentId, foreign.intentId, foreign.intentId]);
    expect(world.alerts).toEqual([]);
  });

  test('records a dispute immediately from its webhook', async () => {
    const world = watchedWorld();
    const { intentId, paymentId } = await payFor(world);
    await world.disputes.open(intentId);
    const event = (await world.eventsOf(intentId)).find(({ type }) => type === 'charge.dispute.created');
    if (!event) throw new Error('there is no event');
    for (let times = 0; times < 2; times += 1) await handleWebhookEvent(world.dependencies, event);
    expect(await disputesOf(paymentId)).toHaveLength(1);
    expect(world.alerts).toHaveLength(1);
    const { rows } = await testDatabase.pool.query(
      'select outcome from provider_events where event_id = $1',
      [event.id],
    );
    expect(rows).toEqual([{ outcome: 'applied' }]);
  });

  test('closes a webhook about another installation’s payment, so that it is not retried', async () => {
    const world = watchedWorld();
    const { intentId } = await payFor(world);
    await testDatabase.pool.query("update sandbox_intents set metadata = '{}' where id = $1", [intentId]);
    await testDatabase.pool.query('alter table payments disable trigger user');
    await testDatabase.pool.query("update payments set provider_intent_id = 'another'");
    const event = { id: 'evt_1', type: 'charge.dispute.created', intentId, body: {} };
    await handleWebhookEvent(world.dependencies, event);
    const { rows } = await testDatabase.pool.query(
      'select outcome from provider_events where event_id = $1',
      [event.id],
    );
    expect(rows).toEqual([{ outcome: 'ignored' }]);
  });

  /** Records a payment as erased. The provider keeps its intent. */
  async function eraseRecord({ caseId, paymentId }: { caseId: string; paymentId: string }) {
    const { pool } = testDatabase;
    await pool.query(
      `with erasure as (insert into erasures (subject_kind, subject_id, reference_hash, occurred_at, ordered_by, basis)
         values ('case', $1, sha256('x'), now(), 'x', 'request') returning id)
       insert into erased_payments (payment_id, erasure_id, provider, provider_intent_id, status, amount, refunded_amount)
         select $2, erasure.id, provider, provider_intent_id, status, amount, refunded_amount
         from payments, erasure where payments.id = $2`,
      [caseId, paymentId],
    );
    await pool.query(
      'set session_replication_role = replica; delete from payments; reset session_replication_role',
    );
  }

  test.each(['webhook', 'lookup'])(
    'alerts once to a dispute of an erased payment that a %s reports',
    async (source) => {
      const world = watchedWorld();
      const paid = await payFor(world);
      await checkDisputes(world.dependencies);
      await eraseRecord(paid);
      const { id } = await world.disputes.open(paid.intentId);
      for (const event of source === 'webhook' ? await world.eventsOf(paid.intentId) : [])
        await handleWebhookEvent(world.dependencies, event);
      for (let runs = 0; runs < 3; runs += 1) await checkDisputes(world.dependencies);
      expect(world.alerts).toEqual([
        {
          message:
            'the provider reports a dispute, fraud warning or review of an erased payment: answer it at the provider',
          details: {
            payment: paid.paymentId,
            erasure: expect.anything(),
            intent: paid.intentId,
            reported: id,
          },
        },
      ]);
      const { rows } = await testDatabase.pool.query(
        'select count(*)::int as open from provider_events where outcome is null or outcome = $1',
        ['unmatched'],
      );
      expect(rows).toEqual([{ open: 0 }]);
    },
  );
});

describe('reminders of a deadline', () => {
  /** Opens a dispute, and runs the job at these days before the deadline. */
  async function remindersAt(
    daysLeft: number[],
    before: (world: World, disputeId: string) => Promise<unknown> = async () => {},
  ) {
    const world = watchedWorld();
    const { intentId } = await payFor(world);
    const { id, due_by } = await world.disputes.open(intentId);
    await checkDisputes(world.dependencies);
    await before(world, id);
    world.alerts.length = 0;
    for (const days of daysLeft) {
      world.clock.set(new Date(due_by.getTime() - days * day));
      await checkDisputes(world.dependencies);
    }
    return world.alerts.map(({ message }) => message);
  }

  test('fault 78: reminders are sent once each seven days, three days and one day before the deadline', async () => {
    expect(await remindersAt([9, 7, 6.5, 5, 3, 2.9, 2, 1, 0.9, 0.5])).toEqual([
      'a dispute is not answered: evidence is due within 7 days',
      'a dispute is not answered: evidence is due within 3 days',
      'a dispute is not answered: evidence is due within a day',
    ]);
  });

  test.each([
    [7 + 1 / day, []],
    [7, ['a dispute is not answered: evidence is due within 7 days']],
  ])(
    'the first reminder is sent exactly seven days before the deadline, and no earlier: %d',
    async (days, reminders) => {
      expect(await remindersAt([days])).toEqual(reminders);
    },
  );

  test('a dispute with a later deadline has every reminder again before it', async () => {
    const world = watchedWorld();
    const { intentId } = await payFor(world);
    const { id, due_by } = await world.disputes.open(intentId);
    await checkDisputes(world.dependencies);
    world.alerts.length = 0;
    const run = async (deadline: Date, daysLeft: number[]) => {
      for (const days of daysLeft) {
        world.clock.set(new Date(deadline.getTime() - days * day));
        await checkDisputes(world.dependencies);
      }
      return world.alerts
        .splice(0)
        .flatMap(({ message }) => /evidence is due (.*)$/.exec(message)?.[1] ?? []);
    };
    expect(await run(due_by, [7, 3])).toEqual(['within 7 days', 'within 3 days']);
    const later = new Date(due_by.getTime() + 20 * day);
    await testDatabase.pool.query('update sandbox_disputes set due_by = $2 where id = $1', [id, later]);
    expect(await run(later, [8, 7, 6.5, 3, 2.9, 1, 0.5])).toEqual([
      'within 7 days',
      'within 3 days',
      'within a day',
    ]);
  });

  test('only the most urgent reminder is sent after the server was down on the day', async () => {
    expect(await remindersAt([9, 2, 0.5])).toEqual([
      'a dispute is not answered: evidence is due within 3 days',
      'a dispute is not answered: evidence is due within a day',
    ]);
  });

  test('no reminders are sent once the dispute is answered, even if the webhook was lost', async () => {
    expect(await remindersAt([7, 3, 1, -1], (world, id) => world.disputes.answer(id))).toEqual([]);
  });

  test('no reminders are sent once the dispute is closed, even if the webhook was lost', async () => {
    const closed = await remindersAt([7, 3, 1, -1], (world, id) => world.disputes.decide(id, 'won'));
    expect(closed).toEqual(['a dispute was won: the firm keeps the money']);
  });

  test('reminders are sent while the provider is unavailable', async () => {
    const world = watchedWorld();
    const { intentId } = await payFor(world);
    const { due_by } = await world.disputes.open(intentId);
    await checkDisputes(world.dependencies);
    world.clock.set(new Date(due_by.getTime() - day));
    const fail = async (): Promise<never> => {
      throw new ProviderUnavailable('down');
    };
    const { provider } = world.dependencies;
    const down = { ...provider, listDisputes: fail, listFraudWarnings: fail, listReviews: fail };
    await expect(checkDisputes({ ...world.dependencies, provider: down })).rejects.toThrow('down');
    expect(world.alerts.at(-1)?.message).toBe('a dispute is not answered: evidence is due within a day');
  });
});

describe('early fraud warnings', () => {
  test('fault 79: alerts once with advice about an early fraud warning, even if the webhook was lost', async () => {
    const world = watchedWorld();
    const { intentId, paymentId, reference, caseId, amount } = await payFor(world);
    world.clock.advance(40 * day);
    const { id } = await world.disputes.warn(intentId);
    for (let runs = 0; runs < 2; runs += 1) await checkDisputes(world.dependencies);
    expect(world.alerts).toEqual([
      {
        message: 'the card’s bank suspects fraud: consider a refund before the payment is disputed',
        details: {
          payment: paymentId,
          case: reference,
          warning: id,
          amount,
          reason: 'the card was stolen',
          action:
            'find out whether the client made this payment; if not, refund it: that saves the dispute and its fee',
        },
      },
    ]);
    expect(await historyOf(caseId)).toEqual([]);
  });

  test('early fraud warnings are recorded from their webhook, and are not actionable after a dispute', async () => {
    const world = watchedWorld();
    const { intentId } = await payFor(world);
    const { id } = await world.disputes.warn(intentId);
    const event = (await world.eventsOf(intentId)).find(({ type }) => type.startsWith('radar.'));
    if (!event) throw new Error('there is no event');
    await handleWebhookEvent(world.dependencies, event);
    const actionable = async () =>
      (
        await testDatabase.pool.query(
          'select is_actionable from early_fraud_warnings where provider_warning_id = $1',
          [id],
        )
      ).rows;
    expect(await actionable()).toEqual([{ is_actionable: true }]);
    world.clock.advance(10 * day);
    await checkDisputes(world.dependencies);
    await world.disputes.open(intentId);
    world.clock.advance(10 * day);
    await checkDisputes(world.dependencies);
    expect(await actionable()).toEqual([{ is_actionable: false }]);
  });
});

test('alerts when the provider opens a review of a payment, and when it closes it without a webhook', async () => {
  const world = watchedWorld();
  const { intentId } = await payFor(world);
  const { id } = await world.disputes.openReview(intentId);
  const event = (await world.eventsOf(intentId)).find(({ type }) => type === 'review.opened');
  if (!event) throw new Error('there is no event');
  await handleWebhookEvent(world.dependencies, event);
  await checkDisputes(world.dependencies);
  await world.disputes.closeReview(id, 'approved');
  world.clock.advance(10 * day);
  await checkDisputes(world.dependencies);
  expect(world.alerts).toMatchObject([
    {
      message: 'the provider holds a payment for review: approve it there, or refund it',
      details: { review: id, reason: 'a fraud rule of the provider opened it' },
    },
    {
      message: 'the provider’s review of a payment is closed',
      details: { review: id, reason: 'the payment was approved' },
    },
  ]);
});
