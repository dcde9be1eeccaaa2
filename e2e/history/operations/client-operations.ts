import { setTimeout as pause } from 'node:timers/promises';
import type { HistoryEntry, OperationKind } from '../history.ts';
import type { PlannedOperation } from '../plan-run.ts';
import { password } from '../system/build-firm.ts';
import type { World } from '../system/start-system.ts';
import { createApiClient, dataOf, isSuccess } from './api-client.ts';
import { planCardOperations } from './card-operations.ts';
import type { Outcome, Planner } from './outcome.ts';
import { planPayByBankOperations } from './pay-by-bank-operations.ts';
import { type KnownPayments, planPaymentOperations } from './payment-operations.ts';

/** Runs operations sequentially and remembers the answers. */
export interface Actor {
  /** @returns the outcome of a planned operation, or undefined if there was nothing to apply it to */
  perform(operation: PlannedOperation): Promise<Outcome | undefined>;
}

/** A client with a browser. */
export interface ClientActor extends Actor {
  /** Retries until there is an answer; used after everything is repaired. */
  read<Data>(path: string, options?: { method: string; body: object }): Promise<Data>;
}

export interface ActorOptions {
  world: World;
  record(entry: HistoryEntry): void;
  nextOperation(): number;
}

/**
 * Creates a runner of planned operations that records them in the history.
 * @param client null for the firm, and for banks and the provider
 */
export function createRunner(
  { record, nextOperation }: ActorOptions,
  client: number | null,
  plans: Partial<Record<OperationKind, Planner>>,
) {
  return async (kind: OperationKind, draws: number[]): Promise<Outcome | undefined> => {
    const plan = plans[kind]?.(draws);
    if (!plan) return undefined;
    const operation = nextOperation();
    record({ type: 'invoke', operation, client, kind, asked: plan.asked });
    const outcome = await plan.work(operation);
    record({ ...outcome, operation });
    // Clients do not press the button again immediately, and they return later while payments are paused.
    await pause((draws[5] ?? 0) * (outcome.code === 'payments_paused' ? 6_000 : 60));
    return outcome;
  };
}

export interface ClientOptions extends ActorOptions {
  client: number;
  /** Called with the operation that sends a card, or approves a payment at the bank, before it does so. */
  cardFrom(intent: string, operation: number): void;
}

export function createClientActor(options: ClientOptions): ClientActor {
  const { world, client } = options;
  const { email = '', caseIds = [] } = world.clients[client] ?? {};
  const api = createApiClient(world.servers);
  const known: KnownPayments = {
    started: [],
    known: [],
    attempts: [],
    prices: new Map(world.searches.map(({ id, price }) => [id, price])),
  };
  const run = createRunner(options, client, {
    ...planPaymentOperations({ api, known, client, world, caseIds }),
    ...planCardOperations({ api, known, world, cardFrom: options.cardFrom }),
    ...planPayByBankOperations({ api, known, world, cardFrom: options.cardFrom }),
    'sign in': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await api.send({
          draw: server,
          method: 'POST',
          path: '/login',
          body: { email, password },
        });
        if (!isSuccess(answer)) return api.failureOf(answer);
        api.token = dataOf<{ access_token: string }>(answer).access_token;
        return { type: 'ok' };
      },
    }),
    'sign out': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await api.send({ draw: server, method: 'POST', path: '/logout' });
        // The browser deletes its token whether or not the request succeeds.
        const outcome: Outcome = isSuccess(answer) ? { type: 'ok' } : api.failureOf(answer);
        api.token = undefined;
        return outcome;
      },
    }),
  });
  /** @returns whether the client is signed in */
  const signIn = async (draws: number[]) =>
    api.token !== undefined || (await run('sign in', draws))?.type === 'ok';

  return {
    perform: async ({ kind, draws }) => {
      if (kind === 'sign out') return run(kind, draws);
      if (!(await signIn(draws))) return undefined;
      const outcome = await run(kind, draws);
      if (outcome?.code !== 'unauthenticated') return outcome;
      // The session has expired, so the client signs in again and repeats the operation.
      return (await signIn(draws)) ? run(kind, draws) : outcome;
    },
    read: async (path, options) => {
      for (let tries = 0; ; tries += 1) {
        const draw = (tries % 2) / 2;
        await signIn([draw]);
        const answer = await api.send({ draw, method: options?.method ?? 'GET', path, body: options?.body });
        if (isSuccess(answer)) return dataOf(answer);
        if (tries > 100) throw new Error(`${path} is not answered: ${JSON.stringify(answer)}`);
        api.failureOf(answer);
        await pause(200);
      }
    },
  };
}
