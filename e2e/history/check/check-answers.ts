import type { FactsEntry, HistoryEntry, InvokeEntry, OutcomeEntry, PaymentFact } from '../history.ts';
import { type Found, isOpen, isPaid } from './check-facts.ts';

/** Checks that later answers do not contradict earlier ones, nor the final state. */
export function checkAnswers(history: readonly HistoryEntry[], facts: FactsEntry): Found[] {
  const found: Found[] = [];
  const asked = new Map<number, { entry: InvokeEntry; at: number }>();
  const check = createAnswerChecks(history, facts);
  for (const [at, entry] of history.entries()) {
    if (entry.type === 'forgery' && entry.status >= 200 && entry.status < 300) {
      found.push({
        rule: 'forged webhooks are rejected',
        text: `a forged webhook was answered with ${entry.status}`,
      });
    }
    // Exit status 2: the provider or the database was unavailable, and the operator runs the command again.
    if (entry.type === 'recovery' && entry.exitCode === 1) {
      found.push({
        rule: 'a recovery restores all payments',
        text: `it ended with ${entry.exitCode}: ${entry.lines.join(' ')}`,
      });
    }
    if (entry.type === 'invoke') asked.set(entry.operation, { entry, at });
    if (entry.type !== 'ok' && entry.type !== 'fail' && entry.type !== 'info') continue;
    const began = asked.get(entry.operation);
    if (began) found.push(...check({ began: began.entry, from: began.at, entry, to: at }));
  }
  return found;
}

/** An operation with its request, its answer and its place in the history. */
interface Operation {
  began: InvokeEntry;
  from: number;
  entry: OutcomeEntry;
  to: number;
}

function createAnswerChecks(history: readonly HistoryEntry[], facts: FactsEntry) {
  const payments = new Map(facts.payments.map((payment) => [payment.id, payment]));
  const charged = new Set(facts.charges.map(({ intent }) => intent));
  const restores = findRestores(history);
  /** The first answer that reported this final state of a payment or search. */
  const paidSince = new Map<string, number>();
  const cancelledSince = new Map<string, number>();
  const note = (since: Map<string, number>, id: string, at: number) => since.has(id) || since.set(id, at);
  const wasBefore = (since: Map<string, number>, id: string, at: number) => (since.get(id) ?? Infinity) < at;
  const isRestoredAfter = (at: number) => restores.some(({ to }) => to > at);
  /** Until a backup is recovered, clients see earlier states. */
  const isEarlierStateShown = ({ from, to }: Operation) =>
    restores.some((restore) => from < restore.to && to > restore.from);

  /**
   * A payment without an intent that was cancelled after the backup is open again, because only the database recorded
   * the cancellation.
   */
  const wasCancelledBefore = (id: string, at: number) => {
    const since = cancelledSince.get(id);
    return since !== undefined && since < at && !isRestoredAfter(since);
  };

  const checkPaymentRead = (operation: Operation, id: string, status: string): Found[] => {
    const { from, to, began } = operation;
    const payment = payments.get(id);
    if (!payment) {
      // A restore loses unpaid payments; the recovery restores everything else.
      const isLost = !isPaid(status) && isRestoredAfter(from);
      const text = `payment ${id} was answered as ${status} and does not exist`;
      return isLost ? [] : [{ rule: 'an answered payment still exists', text }];
    }
    const search = payment.searchId;
    const found: Found[] = [];
    const isRegression = isPaid(status)
      ? wasCancelledBefore(id, from)
      : wasBefore(paidSince, id, from) || (isOpen(status) && wasCancelledBefore(id, from));
    if (isRegression && !isEarlierStateShown(operation)) {
      found.push({
        rule: 'final states do not change',
        text: `payment ${id} was read as ${status}`,
        payment: id,
      });
    }
    if (isPaid(status)) {
      found.push(...checkStaysPaid(payment));
      note(paidSince, id, to);
      if (search) note(paidSince, search, to);
    }
    if (status === 'cancelled') {
      if (charged.has(payment.intent ?? '') && !isRestoredAfter(from)) {
        const text = `payment ${id} was charged`;
        found.push({ rule: 'a cancelled payment is not charged', text, payment: id });
      }
      note(cancelledSince, id, to);
    }
    if (startKinds.has(began.kind))
      found.push(...checkAgreedPrice(began, payment), ...checkMethod(began, payment));
    return found;
  };

  /**
   * A client never pays again even after a restore, because the server asks the provider before it starts a payment.
   */
  const checkStart = ({ began: { kind, asked }, from, entry }: Operation): Found[] => {
    const search = asked.search;
    const isStarted = startKinds.has(kind) && Object.keys(entry.payments ?? {}).length > 0;
    if (!isStarted || typeof search !== 'string' || !wasBefore(paidSince, search, from)) return [];
    return [{ rule: 'a paid search is not paid again', text: `search ${search} was started again`, search }];
  };

  return (operation: Operation): Found[] => {
    const { began, from, entry, to } = operation;
    const found: Found[] = [];
    if (entry.code === 'unexpected') {
      const text = `operation ${entry.operation}: ${began.kind}`;
      found.push({ rule: 'nothing fails unexpectedly', text });
    }
    found.push(...checkStart(operation));
    for (const [id, status] of Object.entries(entry.payments ?? {})) {
      found.push(...checkPaymentRead(operation, id, status));
    }
    for (const [id, status] of Object.entries(entry.searches ?? {})) {
      const isRegression = status === 'awaiting_payment' && wasBefore(paidSince, id, from);
      if (isRegression && !isEarlierStateShown(operation)) {
        found.push({
          rule: 'final states do not change',
          text: `search ${id} was read as unpaid`,
          search: id,
        });
      }
      if (status === 'paid') note(paidSince, id, to);
    }
    if (cardKinds.has(began.kind) && entry.type === 'ok' && entry.code === 'succeeded') {
      found.push(...checkSuccessAtProvider(entry, payments));
    }
    return found;
  };
}

const startKinds: ReadonlySet<string> = new Set([
  'start search payment',
  'start search payment by bank',
  'start other payment',
  'start other payment by bank',
  'retry',
]);
const cardKinds: ReadonlySet<string> = new Set(['pay', 'answer the bank']);

/** The parts of a history between restoring a backup and the end of the recovery. */
function findRestores(history: readonly HistoryEntry[]): { from: number; to: number }[] {
  const restores: { from: number; to: number }[] = [];
  for (const [at, entry] of history.entries()) {
    const open = restores.at(-1);
    if (entry.type === 'restore') restores.push({ from: at, to: Infinity });
    if (entry.type === 'recovery' && entry.exitCode === 0 && open?.to === Infinity) open.to = at;
  }
  return restores;
}

const checkStaysPaid = ({ id, status }: PaymentFact): Found[] =>
  isPaid(status)
    ? []
    : [
        {
          rule: 'a successful payment is recorded as successful',
          text: `payment ${id} is ${status} at the end`,
          payment: id,
        },
      ];

/** A client agrees to a price when they start a payment; later prices do not change it. */
function checkAgreedPrice({ asked: { price } }: InvokeEntry, { id, amount }: PaymentFact): Found[] {
  if (price === undefined || price === amount) return [];
  const text = `payment ${id} is ${amount}, and its client agreed to ${price}`;
  return [{ rule: 'a client pays the price that they agreed to', text, payment: id }];
}

/** A client chooses the method when they confirm a payment. */
function checkMethod({ asked }: InvokeEntry, { id, method }: PaymentFact): Found[] {
  if (asked.method === undefined || asked.method === method) return [];
  const text = `payment ${id} is by ${method}, and its client chose ${asked.method}`;
  return [{ rule: 'a client pays by the method that they chose', text, payment: id }];
}

function checkSuccessAtProvider(
  { payment: id }: OutcomeEntry,
  payments: ReadonlyMap<string, PaymentFact>,
): Found[] {
  const payment = payments.get(id ?? '');
  if (payment && isPaid(payment.status)) return [];
  const text = `the provider said that payment ${id} succeeded, and it ended ${payment?.status}`;
  return [{ rule: 'a successful payment is recorded as successful', text, ...(id ? { payment: id } : {}) }];
}
