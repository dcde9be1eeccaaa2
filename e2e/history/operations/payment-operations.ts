import type { CaseSearch, PaymentIntent, PaymentMethod } from '@keyturn/contract';
import type { World } from '../system/start-system.ts';
import { type ApiClient, dataOf, isSuccess } from './api-client.ts';
import { type Outcome, oneOf, type Planner, readPayments, remember } from './outcome.ts';

/** What a browser knows about its client's payments. */
export interface KnownPayments {
  /** Payments that this client started and can pay. */
  started: StartedPayment[];
  /** Payments that this client can read and cancel, the joint clients’ included. */
  known: Pick<StartedPayment, 'id' | 'searchId'>[];
  attempts: Attempt[];
  /** The price of each search as the client last read it. */
  prices: Map<string, number>;
}

export interface StartedPayment {
  id: string;
  intent: string;
  searchId: string | null;
  /** The amount that the client agreed to, in pence. */
  price: number;
  method: PaymentMethod;
}

interface Attempt {
  path: string;
  body: object;
  key: string | undefined;
  searchId: string | null;
  price: number;
  method: PaymentMethod;
}

interface Context {
  api: ApiClient;
  known: KnownPayments;
  client: number;
  world: World;
  caseIds: string[];
}

/** Plans what clients do with payments in the dashboard, apart from their cards. */
export function planPaymentOperations(context: Context) {
  return {
    ...planStarts(context),
    cancel: planCancel(context),
    ...planReads(context),
    'change case': planChangeOfCase(context),
  } satisfies Record<string, Planner>;
}

function planStarts({ api, known, client, world, caseIds }: Context) {
  const own = world.searches.filter(({ caseId }) => caseIds.includes(caseId));
  let keys = 0;
  const newKey = () => {
    keys += 1;
    return `client-${client}-attempt-${keys}`;
  };
  const startNew = (attempt: Attempt, server: number) => {
    remember(known.attempts, attempt);
    return { asked: askedOf(attempt), work: () => start(api, known, attempt, server) };
  };
  const startSearch =
    (method: PaymentMethod): Planner =>
    ([which = 0, keyed = 0, server = 0, confirmed = 0]) => {
      const search = oneOf(own, which);
      if (!search) return;
      const price = known.prices.get(search.id) ?? search.price;
      const body =
        confirmed < 0.85 || method === 'bank'
          ? { order_now: true, order_wording: '2026-12-unknown', own_card: true, price, method }
          : {};
      const path = `/case-searches/${search.id}/payments`;
      const key = keyed < 0.7 ? newKey() : undefined;
      return startNew({ path, body, key, searchId: search.id, price, method }, server);
    };
  const startOther =
    (method: PaymentMethod): Planner =>
    ([amount = 0, keyed = 0, server = 0]) => {
      const price = 1_000 + Math.floor(amount * 5_000);
      const body = { category: 'money_on_account', amount: price, own_card: true, method };
      const key = keyed < 0.9 ? newKey() : undefined;
      return startNew({ path: '/other-payments', body, key, searchId: null, price, method }, server);
    };
  const retry: Planner = ([which = 0, server = 0]) => {
    // Usually the last key, as in a browser that lost the response.
    const attempt = which < 0.6 ? known.attempts.at(-1) : oneOf(known.attempts, which);
    return attempt && { asked: askedOf(attempt), work: () => start(api, known, attempt, server) };
  };
  return {
    'start search payment': startSearch('card'),
    'start search payment by bank': startSearch('bank'),
    'start other payment': startOther('card'),
    'start other payment by bank': startOther('bank'),
    retry,
  };
}

const askedOf = ({ searchId, price, body, method }: Attempt) => ({
  search: searchId,
  ...('order_now' in body ? { price } : {}),
  ...('own_card' in body ? { method } : {}),
});

const planCancel =
  ({ api, known }: Context): Planner =>
  ([which = 0, server = 0]) => {
    const payment = which < 0.7 ? known.known.at(-1) : oneOf(known.known, which);
    return (
      payment && {
        asked: { payment: payment.id, search: payment.searchId },
        work: () => cancel(api, payment.id, server),
      }
    );
  };

function planReads({ api, known }: Context) {
  return {
    'list payments': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await api.send({ draw: server, method: 'GET', path: '/payments' });
        return isSuccess(answer) ? readPayments(dataOf(answer)) : api.failureOf(answer);
      },
    }),
    'read a payment': ([which = 0, server = 0]) => {
      const payment = which < 0.6 ? known.known.at(-1) : oneOf(known.known, which);
      return payment && { asked: { payment: payment.id }, work: () => readPayment(api, payment.id, server) };
    },
    'list searches': ([server = 0]) => ({
      asked: {},
      work: async () => {
        const answer = await api.send({ draw: server, method: 'GET', path: '/case-searches' });
        if (!isSuccess(answer)) return api.failureOf(answer);
        const read = dataOf<CaseSearch[]>(answer);
        for (const { id, price } of read) known.prices.set(id, price.gross);
        return { type: 'ok', searches: Object.fromEntries(read.map(({ id, status }) => [id, status])) };
      },
    }),
  } satisfies Record<string, Planner>;
}

const planChangeOfCase =
  ({ api, caseIds }: Context): Planner =>
  ([which = 0, server = 0]) => {
    const id = oneOf(caseIds, which);
    return {
      asked: { case: id },
      work: async () => {
        const request = { draw: server, method: 'PUT', path: '/client/active-case', body: { id } };
        const answer = await api.send(request);
        return isSuccess(answer) ? { type: 'ok' } : api.failureOf(answer);
      },
    };
  };

async function start(
  api: ApiClient,
  { known, started, prices }: KnownPayments,
  { path, body, key, searchId, price }: Attempt,
  draw: number,
): Promise<Outcome> {
  // With a search or a key a repeated request finds the same payment; without either, it starts another one.
  const isRepeatable = searchId !== null || key !== undefined;
  const answer = await api.send({ draw, method: 'POST', path, body, key, isRepeatable });
  if (!isSuccess(answer)) {
    const failure = api.failureOf(answer);
    // The dashboard then shows the new price.
    if (failure.code === 'price_changed' && searchId) await readPrice(api, searchId, prices, draw);
    return failure;
  }
  const { payment_id: id, client_secret, status, method } = dataOf<PaymentIntent>(answer);
  if (!known.some((payment) => payment.id === id)) remember(known, { id, searchId });
  // Only the client who confirmed a payment gets the secret that pays it.
  if (client_secret !== null && !started.some((payment) => payment.id === id)) {
    remember(started, { id, intent: client_secret.split('_secret')[0] ?? '', searchId, price, method });
  }
  return { type: 'ok', payment: id, payments: { [id]: status } };
}

async function readPrice(api: ApiClient, searchId: string, prices: Map<string, number>, draw: number) {
  const answer = await api.send({ draw, method: 'GET', path: '/case-searches' });
  if (!isSuccess(answer)) return;
  const search = dataOf<CaseSearch[]>(answer).find(({ id }) => id === searchId);
  if (search) prices.set(searchId, search.price.gross);
}

async function cancel(api: ApiClient, id: string, draw: number): Promise<Outcome> {
  const answer = await api.send({ draw, method: 'POST', path: `/payments/${id}/cancel` });
  const wasRepeated = answer?.wasRepeated;
  if (isSuccess(answer)) return readPayments([dataOf(answer)]);
  const failure = api.failureOf(answer);
  // The payment says whether an unanswered try has cancelled it.
  return failure.code === 'payment_settled' && wasRepeated ? readPayment(api, id, draw) : failure;
}

async function readPayment(api: ApiClient, id: string, draw: number): Promise<Outcome> {
  const answer = await api.send({ draw, method: 'GET', path: `/payments/${id}` });
  return isSuccess(answer) ? readPayments([dataOf(answer)]) : api.failureOf(answer);
}
