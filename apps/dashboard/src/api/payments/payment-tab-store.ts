import {
  isArrayOf,
  isInteger,
  isNullOr,
  isObjectOf,
  isOneOf,
  isString,
} from '@keyturn/browser/checks/check.ts';
import { createStore } from '@keyturn/browser/store/create-store.ts';
import { bankFailureCodes, cardDeclineCodes, type PaymentFailureCode } from '@keyturn/contract';
import { isPaymentConfirmation, type PaymentConfirmation } from '../case/case-store.ts';
import type { AuthStore } from '../session/auth-store.ts';
import type { PersistedState } from '../session/persisted-state.ts';

/** Why an attempt to pay failed. `no_response`: as far as we know, it never reached a bank. */
export type AttemptDecline = PaymentFailureCode | 'no_response';

/** An attempt to pay. Only the tab in which Pay was pressed shows its bank check and its decline. */
export interface PaymentAttempt {
  paymentId: string;
  /** The intent's revision before the attempt: an attempt that reached a bank changes it. */
  revisionBefore: string;
  /** Null while the attempt has no outcome or has not failed. */
  decline: AttemptDecline | null;
}

/**
 * What this tab remembers about payments across reloads: confirmations and the last attempt, never card details. It is
 * deleted on sign-out.
 */
export interface PaymentTabStore {
  /** What the client confirmed for this search in this tab; null if nothing. */
  confirmationFor(caseSearchId: string): PaymentConfirmation | null;
  /** The price in pence that the client last agreed to pay for this search in this tab; null if none. */
  agreedPrice(caseSearchId: string): number | null;
  saveConfirmation(caseSearchId: string, confirmed: PaymentConfirmation, price: number): void;
  /** The last attempt; the same object until it changes. */
  attempt(): PaymentAttempt | null;
  setAttempt(attempt: PaymentAttempt | null): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Creates the store of this tab for the signed-in client; another client starts with an empty one.
 * @param tab storage that lasts as long as the tab
 */
export function createPaymentTabStore(tab: PersistedState, auth: AuthStore): PaymentTabStore {
  const currentClientId = () => auth.get()?.client?.id ?? null;
  let clientId = currentClientId();
  const { get, set, subscribe } = createStore(readPaymentTabState(tab, clientId));

  const save = (next: PaymentTabState) => {
    if (clientId) tab.write('payment-tab', { clientId, ...next } satisfies StoredPaymentTabState);
    set(next);
  };
  auth.subscribe(() => {
    if (currentClientId() === clientId) return;
    clientId = currentClientId();
    set(readPaymentTabState(tab, clientId));
  });

  return {
    confirmationFor: (id) =>
      get().confirmations.find(({ caseSearchId }) => caseSearchId === id)?.confirmed ?? null,
    agreedPrice: (id) => get().confirmations.find(({ caseSearchId }) => caseSearchId === id)?.price ?? null,
    saveConfirmation: (caseSearchId, confirmed, price) => {
      const others = get().confirmations.filter((saved) => saved.caseSearchId !== caseSearchId);
      save({ ...get(), confirmations: [...others, { caseSearchId, confirmed, price }] });
    },
    attempt: () => get().attempt,
    setAttempt: (attempt) => save({ ...get(), attempt }),
    subscribe,
  };
}

interface PaymentTabState {
  confirmations: { caseSearchId: string; confirmed: PaymentConfirmation; price: number }[];
  attempt: PaymentAttempt | null;
}

type StoredPaymentTabState = PaymentTabState & { clientId: string };

const isStoredPaymentTabState = isObjectOf<StoredPaymentTabState>({
  clientId: isString,
  confirmations: isArrayOf(
    isObjectOf<PaymentTabState['confirmations'][number]>({
      caseSearchId: isString,
      confirmed: isPaymentConfirmation,
      price: isInteger,
    }),
  ),
  attempt: isNullOr(
    isObjectOf<PaymentAttempt>({
      paymentId: isString,
      revisionBefore: isString,
      decline: isNullOr(isOneOf([...cardDeclineCodes, ...bankFailureCodes, 'no_response'])),
    }),
  ),
});

function readPaymentTabState(tab: PersistedState, clientId: string | null): PaymentTabState {
  const stored = tab.read('payment-tab');
  if (!clientId || !isStoredPaymentTabState(stored) || stored.clientId !== clientId)
    return { confirmations: [], attempt: null };
  return { confirmations: stored.confirmations, attempt: stored.attempt };
}
