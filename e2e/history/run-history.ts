import { setTimeout as pause } from 'node:timers/promises';
import { collectFacts } from './collect-facts.ts';
import type { HistoryEntry } from './history.ts';
import { createBankActor } from './operations/bank-operations.ts';
import { type Actor, type ClientActor, createClientActor } from './operations/client-operations.ts';
import { createFirmActor } from './operations/firm-operations.ts';
import type { Outcome } from './operations/outcome.ts';
import { type PlannedOperation, type PlannedRun, planRun } from './plan-run.ts';
import { readScreens } from './read-screens.ts';
import { settleWorld, startBank } from './settle-world.ts';
import { startWebhookDelivery } from './system/deliver-webhooks.ts';
import { createNemesis, type Nemesis } from './system/nemesis.ts';
import { startRecovery } from './system/recover.ts';
import { startWorld, type World } from './system/start-system.ts';

export interface HistoryRun {
  seed: number;
  operations: number;
  clients: number;
  /** The number of searches to pay for; by default one for every 25 operations. */
  searches?: number;
  /** By default one for every three clients. */
  cases?: number;
  /** Replaces the plan that is derived from the seed. */
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
  const record = (entry: HistoryEntry) => void history.push(entry);
  const cardOf = new Map<string, number>();
  let lastOperation = 0;
  const shared = { world, record, nextOperation: () => (lastOperation += 1) };
  const actors: Actors = {
    clients: Array.from({ length: clients }, (_, client) =>
      createClientActor({
        ...shared,
        client,
        cardFrom: (intent, operation) => void cardOf.set(intent, operation),
      }),
    ),
    firm: createFirmActor(shared),
    bank: createBankActor(shared),
  };
  const bank = startBank(world);
  const recovery = startRecovery(world, record);
  try {
    const webhookDelivery = startWebhookDelivery(world, seed, record);
    await runOperations(world, plan, actors, createNemesis(world, recovery, record), progress);
    progress('paying without the nemesis');
    await Promise.all(actors.clients.map((actor, client) => payQuietly(actor, plan.quiet, client)));
    progress('waiting until nothing is pending');
    await settleWorld(world, webhookDelivery, bank);
    await recovery.stop();
    const screens = await readScreens(world, actors.clients);
    record(await collectFacts(world, cardOf, screens));
    run.errors?.(world.servers.flatMap((server) => server.errors()));
    return history;
  } finally {
    bank.stop();
    await recovery.stop();
    await world.stop();
  }
}

interface Actors {
  clients: ClientActor[];
  firm: Actor;
  bank: Actor;
}

async function runOperations(
  { simulator }: World,
  plan: PlannedRun,
  { clients, firm, bank }: Actors,
  nemesis: Nemesis,
  progress: (text: string) => void,
) {
  const actions = [...plan.nemesis];
  const ofClients = plan.clients.reduce((sum, planned) => sum + planned.length, 0);
  const all = ofClients + plan.firm.length + plan.bank.length;
  let done = 0;
  let doneByClients = 0;
  const onDone = () => {
    done += 1;
    for (let next = actions[0]; next && next.after <= done; next = actions[0]) {
      actions.shift();
      nemesis.start(next.action, next.draw);
    }
    if (done % Math.ceil(all / 10) === 0) {
      progress(`${done} of ${all} operations`);
      simulator.calls.splice(0);
    }
  };
  /** The firm and the banks keep pace with the clients once there are payments. */
  const keepPace = async (actor: Actor, operations: PlannedOperation[]) => {
    for (const [index, operation] of operations.entries()) {
      const until = Math.min(ofClients, Math.ceil(ofClients * (0.1 + (0.9 * index) / operations.length)));
      while (doneByClients < until) await pause(20);
      await actor.perform(operation);
      onDone();
    }
  };
  const work = Promise.all([
    keepPace(firm, plan.firm),
    keepPace(bank, plan.bank),
    ...clients.map(async (actor, client) => {
      for (const operation of plan.clients[client] ?? []) {
        await actor.perform(operation);
        doneByClients += 1;
        onDone();
      }
    }),
  ]);
  // Once a client has failed, the firm and the banks do not wait for it.
  await work.catch((error: unknown) => {
    doneByClients = ofClients;
    throw error;
  });
  await nemesis.finish();
}

/** Without the nemesis every client can pay, so each history has a payment of every client. */
async function payQuietly(actor: Actor, quiet: PlannedOperation[], client: number) {
  if (quiet.length === 0) return;
  let outcomes: (Outcome | undefined)[] = [];
  // The first attempts may find connections that the nemesis broke, a session that it let expire, or paused payments.
  for (let attempts = 0; attempts < 60; attempts += 1) {
    outcomes = [];
    for (const operation of quiet) outcomes.push(await actor.perform(operation));
    if (outcomes.at(-1)?.code === 'succeeded') return;
    await pause(500);
  }
  throw new Error(`client ${client} cannot pay without the nemesis: ${JSON.stringify(outcomes)}`);
}
