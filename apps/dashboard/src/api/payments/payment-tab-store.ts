import { isPaymentConfirmation, type PaymentConfirmation } from '../case/case-store.ts';
import { isArrayOf, isNullOr, isObjectOf, isString } from '../checks/check.ts';
import type { AuthStore } from '../session/auth-store.ts';
import type { PersistedState } from '../session/persisted-state.ts';

/** A press on Pay. Its bank check and its refusal are for the tab that pressed, and for no other. */
export interface PaymentAttempt {
  paymentId: string;
  /** Of the provider's intent before the attempt: what came of it has another one. */
  mark: string;
  /** The provider's code; `no_response`: it never reached the bank. Null while it is open. */
  refusal: string | null;
}

/**
 * What this tab remembers of the paying that its client does in it, through a reload. Nothing of the card. It goes
 * with the sign-in.
 */
export interface PaymentTabStore {
  /** What was said of this search; null where nothing was. */
  confirmationFor(caseSearchId: string): PaymentConfirmation | null;
  saveConfirmation(caseSearchId: string, confirmed: PaymentConfirmation): void;
  /** The last attempt; the same object until something changes. */
  attempt(): PaymentAttempt | null;
  setAttempt(attempt: PaymentAttempt | null): void;
  subscribe(listener: () => void): () => void;
}

/** @param tab keeps for as long as the tab is open */
export function createPaymentTabStore(tab: PersistedState, auth: AuthStore): PaymentTabStore {
  const listeners = new Set<() => void>();
  const owner = () => auth.get()?.client?.id ?? null;
  let ownedBy = owner();
  let state = readPaymentTabState(tab, ownedBy);

  const set = (next: PaymentTabState) => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const keep = (next: PaymentTabState) => {
    if (ownedBy) tab.write('payment-tab', { clientId: ownedBy, ...next } satisfies StoredPaymentTabState);
    set(next);
  };
  auth.subscribe(() => {
    if (owner() === ownedBy) return;
    ownedBy = owner();
    set(readPaymentTabState(tab, ownedBy));
  });

  return {
    confirmationFor: (id) => state.answers.find(({ caseSearchId }) => caseSearchId === id)?.confirmed ?? null,
    saveConfirmation: (caseSearchId, confirmed) => {
      const others = state.answers.filter((answer) => answer.caseSearchId !== caseSearchId);
      keep({ ...state, answers: [...others, { caseSearchId, confirmed }] });
    },
    attempt: () => state.attempt,
    setAttempt: (attempt) => keep({ ...state, attempt }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface PaymentTabState {
  answers: { caseSearchId: string; confirmed: PaymentConfirmation }[];
  attempt: PaymentAttempt | null;
}

type StoredPaymentTabState = PaymentTabState & { clientId: string };

const isStoredPaymentTabState = isObjectOf<StoredPaymentTabState>({
  clientId: isString,
  answers: isArrayOf(
    isObjectOf<PaymentTabState['answers'][number]>({
      caseSearchId: isString,
      confirmed: isPaymentConfirmation,
    }),
  ),
  attempt: isNullOr(
    isObjectOf<PaymentAttempt>({ paymentId: isString, mark: isString, refusal: isNullOr(isString) }),
  ),
});

function readPaymentTabState(tab: PersistedState, clientId: string | null): PaymentTabState {
  const found = tab.read('payment-tab');
  if (!clientId || !isStoredPaymentTabState(found) || found.clientId !== clientId)
    return { answers: [], attempt: null };
  return { answers: found.answers, attempt: found.attempt };
}
