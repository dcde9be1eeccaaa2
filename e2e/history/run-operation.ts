import { setTimeout as pause } from 'node:timers/promises';
import type { CaseSearch, ErrorBody, Payment, PaymentIntent } from '@keyturn/contract';
import { StripeApiError } from '@keyturn/testkit/stripe-simulator/stripe-api-error.ts';
import type { HistoryEntry, OperationKind, OutcomeEntry } from './history.ts';
import type { PlannedOperation } from './plan-run.ts';
import { password, type World } from './start-system.ts';

/** The outcome of an operation, before it is numbered. */
export type Outcome = Omit<OutcomeEntry, 'operation'>;

/** A client with a browser, which runs operations one by one and remembers the answers. */
export interface Operator {
  /**
   * Runs a planned operation, signing in first if the session has ended.
   * @returns its outcome, or undefined if there was nothing to run it on
   */
  perform(operation: PlannedOperation): Promise<Outcome | undefined>;
  /** Retries until there is an answer; used after everything is repaired. */
  read<Data>(path: string, options?: { method: string; body: unknown }): Promise<Data>;
}

/** A payment the client started and can pay. */
interface BegunPayment {
  id: string;
  intent: string;
  searchId: string | null;
}

interface Attempt {
  path: string;
  body: object;
  key: string | undefined;
  searchId: string | null;
}

export interface OperatorOptions {
  world: World;
  client: number;
  tell(entry: HistoryEntry): void;
  nextOperation(): number;
  /** The operation whose card pays an intent from now on. */
  cardFrom(intent: string, operation: number): void;
}

export function createOperator({ world, client, tell, nextOperation, cardFrom }: OperatorOptions): Operator {
  const { servers, simulator, searches, clients } = world;
  const { email = '', caseIds = [] } = clients[client] ?? {};
  const own = searches.filter(({ caseId }) => caseIds.includes(caseId));
  const begun: BegunPayment[] = [];
  /** Payments that this client can read and cancel, the joint owners’ included. */
  const known: Omit<BegunPayment, 'intent'>[] = [];
  const attempts: Attempt[] = [];
  let token: string | undefined;
  let keys = 0;
  let unanswered = 0;

  const call = async (draw: number, method: string, path: string, body?: object, key?: string) => {
    try {
      const response = await fetch(`${servers[Math.floor(draw * servers.length)]?.url()}/api${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(20_000),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return null;
    }
  };
  type Answer = Awaited<ReturnType<typeof call>>;

  /** Maps an unsuccessful answer to an outcome. */
  const unsuccessful = (answer: Answer): Outcome => {
    if (!answer) return { type: 'info', code: 'no answer' };
    const { code } = answer.body as ErrorBody;
    if (code === 'unauthenticated') token = undefined;
    const isKnown = answer.status < 500 || code === 'provider_unavailable' || code === 'payments_paused';
    return { type: isKnown ? 'fail' : 'info', code };
  };
  const isSuccess = (answer: Answer): answer is NonNullable<Answer> => answer !== null && answer.status < 300;

  const begin = async (attempt: Attempt, draw: number): Promise<Outcome> => {
    const answer = await call(draw, 'POST', attempt.path, attempt.body, attempt.key);
    if (!isSuccess(answer)) return unsuccessful(answer);
    const { payment_id, client_secret, status } = answer.body.data as PaymentIntent;
    if (!known.some(({ id }) => id === payment_id))
      known.push({ id: payment_id, searchId: attempt.searchId });
    // Only the client who confirmed a payment gets the secret that pays it.
    if (client_secret !== null && !begun.some(({ id }) => id === payment_id)) {
      const intent = client_secret.split('_secret')[0] ?? '';
      begun.push({ id: payment_id, intent, searchId: attempt.searchId });
    }
    return { type: 'ok', payment: payment_id, payments: { [payment_id]: status } };
  };

  /** A call from the browser to Stripe, which may fail before or after Stripe has processed it. */
  const askStripe = async (draw: number, work: () => string): Promise<Outcome> => {
    await pause(draw * 20);
    if (draw < 0.05) return { type: 'info', code: 'broken before' };
    try {
      const status = work();
      return draw > 0.95 ? { type: 'info', code: 'broken after' } : { type: 'ok', code: status };
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error;
      return { type: 'fail', code: String(error.body.error.code) };
    }
  };

  const plans: Record<OperationKind, (draws: number[]) => Plan | undefined> = {
    'start search payment': ([which = 0, keyed = 0, server = 0, confirmed = 0]) => {
      const search = oneOf(own, which);
      if (!search) return;
      const attempt: Attempt = {
        path: `/case-searches/${search.id}/payments`,
        body: confirmed < 0.85 ? { order_now: true, own_card: true } : {},
        key: keyed < 0.7 ? newKey() : undefined,
        searchId: search.id,
      };
      remember(attempts, attempt);
      return { asked: { search: search.id }, work: () => begin(attempt, server) };
    },
    'start other payment': ([amount = 0, keyed = 0, server = 0]) => {
      const attempt: Attempt = {
        path: '/other-payments',
        body: { category: 'money_on_account', amount: 1_000 + Math.floor(amount * 5_000), own_card: true },
        key: keyed < 0.9 ? newKey() : undefined,
        searchId: null,
      };
      remember(attempts, attempt);
      return { asked: {}, work: () => begin(attempt, server) };
    },
    retry: ([which = 0, server = 0]) => {
      // Usually the last key, like a browser whose answer was lost.
      const attempt = which < 0.6 ? attempts.at(-1) : oneOf(attempts, which);
      return attempt && { asked: { search: attempt.searchId }, work: () => begin(attempt, server) };
    },
    pay: ([which = 0, card = 0, broken = 0]) => {
      const payment = which < 0.8 ? begun.at(-1 - Math.floor(which * 3)) : oneOf(begun, which);
      if (!payment) return;
      const method = oneOf(cards, card) ?? 'pm_card_visa';
      return {
        asked: { payment: payment.id, search: payment.searchId, method },
        work: (operation) =>
          askStripe(broken, () => {
            const before = simulator.intents.find(payment.intent).status;
            if (before === 'requires_payment_method') cardFrom(payment.intent, operation);
            return simulator.intents.confirm(payment.intent, method).status;
          }).then((outcome) => ({ ...outcome, payment: payment.id })),
      };
    },
    'answer the bank': ([which = 0, approved = 0, broken = 0]) => {
      const asking = begun.filter(
        ({ intent }) => simulator.intents.find(intent).status === 'requires_action',
      );
      const payment = oneOf(asking, which);
      if (!payment) return;
      return {
        asked: { payment: payment.id, search: payment.searchId },
        work: (operation) =>
          askStripe(broken, () => {
            const outcome = approved < 0.8 ? 'approved' : 'refused';
            if (simulator.intents.find(payment.intent).status === 'requires_action') {
              cardFrom(payment.intent, operation);
            }
            return simulator.intents.authenticate(payment.intent, outcome).status;
          }).then((outcome) => ({ ...outcome, payment: payment.id })),
      };
    },
    cancel: ([which = 0, server = 0]) => {
      const payment = which < 0.7 ? known.at(-1) : oneOf(known, which);
      if (!payment) return;
      return {
        asked: { payment: payment.id, search: payment.searchId },
        work: async () => {
          const answer = await call(server, 'POST', `/payments/${payment.id}/cancel`);
          return isSuccess(answer) ? readPayments([answer.body.data]) : unsuccessful(answer);
        },
      };
    },
    'list payments': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await call(server, 'GET', '/payments');
        return isSuccess(answer) ? readPayments(answer.body.data) : unsuccessful(answer);
      },
    }),
    'look at a payment': ([which = 0, server = 0]) => {
      const payment = which < 0.6 ? known.at(-1) : oneOf(known, which);
      if (!payment) return;
      return {
        asked: { payment: payment.id },
        work: async () => {
          const answer = await call(server, 'GET', `/payments/${payment.id}`);
          return isSuccess(answer) ? readPayments([answer.body.data]) : unsuccessful(answer);
        },
      };
    },
    'list searches': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await call(server, 'GET', '/case-searches');
        if (!isSuccess(answer)) return unsuccessful(answer);
        const read = answer.body.data as CaseSearch[];
        return { type: 'ok', searches: Object.fromEntries(read.map(({ id, status }) => [id, status])) };
      },
    }),
    'change case': ([which = 0, server = 0]) => {
      const id = oneOf(caseIds, which);
      return {
        asked: { case: id },
        work: async () => {
          const answer = await call(server, 'PUT', '/client/active-case', { id });
          return isSuccess(answer) ? { type: 'ok' } : unsuccessful(answer);
        },
      };
    },
    'sign in': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await call(server, 'POST', '/login', { email, password });
        if (!isSuccess(answer)) return unsuccessful(answer);
        token = answer.body.data.access_token;
        return { type: 'ok' };
      },
    }),
    'sign out': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await call(server, 'POST', '/logout');
        // The browser forgets its token in any case.
        const outcome: Outcome = isSuccess(answer) ? { type: 'ok' } : unsuccessful(answer);
        token = undefined;
        return outcome;
      },
    }),
  };

  const run = async (kind: OperationKind, draws: number[]): Promise<Outcome | undefined> => {
    const plan = plans[kind](draws);
    if (!plan) return undefined;
    const operation = nextOperation();
    tell({ type: 'invoke', operation, client, kind, asked: plan.asked });
    const outcome = await plan.work(operation);
    tell({ ...outcome, operation });
    // Clients do not press again immediately, and wait longer after each missing answer.
    const isAway = outcome.code === 'no answer' || outcome.code === 'unavailable';
    unanswered = isAway ? unanswered + 1 : 0;
    await pause(isAway ? Math.min(300 * 2 ** unanswered, 3_000) : (draws[5] ?? 0) * 60);
    return outcome;
  };

  return {
    perform: async ({ kind, draws }) => {
      if (!token && kind !== 'sign out') await run('sign in', draws);
      return run(kind, draws);
    },
    read: async (path, { method, body } = { method: 'GET', body: undefined }) => {
      for (let tries = 0; ; tries += 1) {
        if (!token) await run('sign in', [(tries % 2) / 2]);
        const answer = await call((tries % 2) / 2, method, path, body as object | undefined);
        if (isSuccess(answer)) return answer.body.data;
        if (tries > 300) throw new Error(`${path} is not answered: ${JSON.stringify(answer)}`);
        unsuccessful(answer);
        await pause(200);
      }
    },
  };

  function newKey(): string {
    keys += 1;
    return `client-${client}-attempt-${keys}`;
  }
}

interface Plan {
  asked: Record<string, unknown>;
  work(operation: number): Promise<Outcome>;
}

function readPayments(read: Payment[]): Outcome {
  return { type: 'ok', payments: Object.fromEntries(read.map(({ id, status }) => [id, status])) };
}

const oneOf = <Thing>(things: readonly Thing[], draw: number): Thing | undefined =>
  things[Math.floor(draw * things.length)];

/** Clients return to recent payments, not to all of them. */
function remember<Thing>(things: Thing[], thing: Thing): void {
  things.push(thing);
  if (things.length > 30) things.shift();
}

const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequired',
  'pm_sim_later',
  'pm_card_chargeDeclined',
  'pm_card_chargeDeclinedInsufficientFunds',
  'pm_card_chargeDeclinedExpiredCard',
];
