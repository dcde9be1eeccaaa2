import { collectFromProvider, collectRecord } from './collect-money.ts';
import type { FactsEntry, PaymentFact, ScreenFact } from './history.ts';
import { runUntilKnown } from './operations/firm-operations.ts';
import { isByBank } from './operations/pay-by-bank-operations.ts';
import type { World } from './system/start-system.ts';

/** Collects the final state from the database, the provider and the clients' screens. */
export async function collectFacts(
  world: World,
  cardOf: ReadonlyMap<string, number>,
  screens: ScreenFact[],
): Promise<FactsEntry> {
  const { pool, simulator, clock, clients } = world;
  const commands = await runLastCommands(world);
  const rows = async <Row>(sql: string) => (await pool.query(sql)).rows as Row[];
  const counters = await rows<{ year: number; last: number }>('select year, last from receipt_counters');
  const intents = simulator.intents.all();
  const charges = simulator.charges.all().filter(({ paid }) => paid);
  return {
    type: 'facts',
    now: clock().toISOString(),
    payments: (
      await rows<
        Omit<PaymentFact, 'payer'> & { payerId: string | null }
      >(`select id, case_id as "caseId", case_search_id as "searchId", status, method, amount,
      refunded_amount as "refundedAmount", provider_intent_id as intent, paid_at as "paidAt",
      receipt_number as "receiptNumber", confirmed_by as "payerId",
      dispute_status as dispute from payments order by created_at`)
    ).map(({ payerId, ...payment }) => ({
      ...payment,
      payer: payerId === null ? null : clients.findIndex(({ id }) => id === payerId),
    })),
    changes: await rows(`select payment_id as payment, from_status as "from", to_status as "to", cause,
      provider_event_id as event, money, refund_id as refund from payment_changes order by id`),
    events: await rows('select event_id as id, intent_id as intent, outcome from provider_events'),
    searches: await rows(`select s.id, m.case_id as "caseId", s.status, s.price_gross as price
      from case_searches s join matters m on m.id = s.matter_id`),
    cases: await rows(`select case_id as id, count(*)::int as "historyEntries" from history_entries
      where category = 'payment' and summary like '% paid £%' and summary not like 'We refunded %' and summary not like 'The card%' group by case_id`),
    receiptCounters: Object.fromEntries(counters.map(({ year, last }) => [year, last])),
    intents: intents.map((intent) => ({
      id: intent.id,
      payment: intent.metadata.payment_id ?? null,
      status: intent.status === 'canceled' ? 'cancelled' : intent.status,
      method: isByBank(intent) ? 'bank' : 'card',
      amount: intent.amount,
      refundedAmount: charges.find(({ id }) => id === intent.latest_charge)?.amount_refunded ?? 0,
      created: new Date(intent.created * 1000).toISOString(),
    })),
    charges: charges.map(({ payment_intent: intent, amount }) => ({
      intent,
      amount,
      operation: cardOf.get(intent) ?? 0,
    })),
    screens,
    record: await collectRecord(world),
    provider: collectFromProvider(world),
    commands,
  };
}

/** Runs the product's own comparison of the ledger, the provider's balance and the record. */
async function runLastCommands(world: World): Promise<FactsEntry['commands']> {
  const since = new Date(world.clock().getTime() - 90 * day);
  const from = since.toISOString().slice(0, 10);
  const to = world.clock().toISOString().slice(0, 10);
  const ledger = await runUntilKnown(world, { name: 'ledger', from, to, csv: null });
  const check = await runUntilKnown(world, { name: 'check', since, json: false });
  return [
    { name: 'ledger', exitCode: ledger?.exitCode ?? null, lines: ledger?.lines ?? [] },
    { name: 'check', exitCode: check?.exitCode ?? null, lines: check?.lines ?? [] },
  ];
}

const day = 24 * 3_600_000;
