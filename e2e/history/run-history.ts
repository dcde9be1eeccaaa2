import { setTimeout as pause } from 'node:timers/promises';
import type { CaseSearch, Client, Payment } from '@keyturn/contract';
import { collectFacts } from './collect-facts.ts';
import { startWebhookDelivery, type WebhookDelivery } from './deliver-webhooks.ts';
import type { HistoryEntry, ScreenFact } from './history.ts';
import { createNemesis } from './nemesis.ts';
import { type PlannedOperation, type PlannedRun, planRun } from './plan-run.ts';
import { createOperator, type Operator, type Outcome } from './run-operation.ts';
import { startWorld, type World } from './start-system.ts';

export interface HistoryRun {
  seed: number;
  operations: number;
  clients: number;
  /** Searches to pay for; by default one for every 25 operations. */
  searches?: number;
  /** By default one for every three clients. */
  cases?: number;
  /** Replaces the plan of the seed. */
  plan?: PlannedRun;
  /** For the control run: removes the protection against paying twice for a search. */
  withoutGuards?: boolean;
  /** Called after each tenth of the run. */
  progress?(text: string): void;
  /** Receives the errors in the servers' logs. */
  errors?(lines: string[]): void;
}

/**
 * Runs random paying clients against a nemesis, then repairs everything and collects the final state.
 * @returns the whole history, including the final state
 */
export async function runHistory(run: HistoryRun): Promise<HistoryEntry[]> {
  const { seed, operations, clients, progress = () => {} } = run;
  const plan = run.plan ?? planRun({ seed, operations, clients });
  const world = await startWorld({
    clients,
    cases: run.cases,
    searches: run.searches ?? Math.max(30, Math.ceil(operations / 25)),
    withoutGuards: run.withoutGuards,
  });
  const history: HistoryEntry[] = [{ type: 'run', seed, operations, clients }];
  const tell = (entry: HistoryEntry) => void history.push(entry);
  const cardOf = new Map<string, number>();
  let lastOperation = 0;
  const operators = Array.from({ length: clients }, (_, client) =>
    createOperator({
      world,
      client,
      tell,
      nextOperation: () => (lastOperation += 1),
      cardFrom: (intent, operation) => void cardOf.set(intent, operation),
    }),
  );
  const bank = startBank(world);
  try {
    const webhookDelivery = startWebhookDelivery(world, seed, tell);
    await turnLoose(world, plan, operators, tell, progress);
    await Promise.all(operators.map((operator, client) => payQuietly(operator, plan.quiet, client)));
    progress('healing');
    await heal(world, webhookDelivery, bank);
    const screens = await lookAtScreens(world, operators);
    tell(await collectFacts(world, cardOf, screens));
    run.errors?.(world.servers.flatMap((server) => server.errors()));
    return history;
  } finally {
    bank.stop();
    await world.stop();
  }
}

async function turnLoose(
  world: World,
  plan: PlannedRun,
  operators: Operator[],
  tell: (entry: HistoryEntry) => void,
  progress: (text: string) => void,
) {
  const nemesis = createNemesis(world, tell);
  const actions = [...plan.nemesis];
  const all = plan.clients.reduce((sum, planned) => sum + planned.length, 0);
  let done = 0;
  await Promise.all(
    operators.map(async (operator, client) => {
      for (const operation of plan.clients[client] ?? []) {
        await operator.perform(operation);
        done += 1;
        for (let next = actions[0]; next && next.after <= done; next = actions[0]) {
          actions.shift();
          nemesis.start(next.action, next.draw);
        }
        if (done % Math.ceil(all / 10) === 0) {
          progress(`${done} of ${all} operations`);
          world.simulator.calls.splice(0);
        }
      }
    }),
  );
  await nemesis.finish();
}

/** Without the nemesis every client can pay, so no history is without a payment of each client by bad luck. */
async function payQuietly(operator: Operator, quiet: PlannedOperation[], client: number) {
  if (quiet.length === 0) return;
  let outcome: Outcome | undefined;
  // The first attempts may find connections that the nemesis broke, or a session that it let expire.
  for (let attempts = 0; attempts < 20; attempts += 1) {
    for (const operation of quiet) outcome = await operator.perform(operation);
    if (outcome?.code === 'succeeded') return;
  }
  throw new Error(`client ${client} cannot pay without the nemesis: ${JSON.stringify(outcome)}`);
}

/** Completes delayed card payments at the provider. */
function startBank({ simulator }: World) {
  const settle = () => {
    for (const { id, status } of simulator.intents.all()) {
      if (status === 'processing') simulator.intents.settle(id);
    }
  };
  const timer = setInterval(settle, 300);
  return { settle, stop: () => clearInterval(timer) };
}

/** Restores everything, delivers pending events and advances time until nothing is pending. */
async function heal(world: World, webhookDelivery: WebhookDelivery, bank: { settle(): void }) {
  bank.settle();
  await webhookDelivery.finish();
  for (let round = 0; round < 40; round += 1) {
    await world.jump(100 * 60_000);
    await pause(1_000);
    bank.settle();
    if (round >= 1 && !(await somethingWaits(world))) return;
  }
}

async function somethingWaits({ pool }: World): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>(`select
    exists (select 1 from payments where status in ('requires_payment_method', 'requires_action', 'processing'))
    or exists (select 1 from provider_events where outcome is null or outcome = 'unmatched') as waits`);
  return rows[0]?.waits ?? true;
}

async function lookAtScreens(world: World, operators: Operator[]): Promise<ScreenFact[]> {
  const screens: ScreenFact[] = [];
  for (const [client, { caseIds }] of world.clients.entries()) {
    const operator = operators[client];
    if (!operator) continue;
    for (const caseId of caseIds) {
      await operator.read('/client/active-case', { method: 'PUT', body: { id: caseId } });
      const [seen, payments, searches] = [
        await operator.read<Client>('/client'),
        await operator.read<Payment[]>('/payments'),
        await operator.read<CaseSearch[]>('/case-searches'),
      ];
      screens.push({
        client,
        caseId: seen.active_case?.id ?? '',
        amountPaid: seen.conveyancing_case?.amount_paid ?? 0,
        payments: Object.fromEntries(
          payments.map((row) => [row.id, { status: row.status, refundedAmount: row.refunded_amount }]),
        ),
        searches: Object.fromEntries(
          searches.map(({ id, status, payment, payable }) => [
            id,
            { status, payment: payment?.id ?? null, payable },
          ]),
        ),
      });
    }
  }
  return screens;
}
