import { type Confirmed, isConfirmed } from '../case/case-state.ts';
import { isListOf, isNullOr, isRecordOf, isText } from '../client/check.ts';
import type { AuthStore } from '../session/auth-state.ts';
import type { PersistedState } from '../session/persisted-state.ts';

/** A press on Pay. Its bank check and its refusal are for the tab that pressed, and for no other. */
export interface PaymentAttempt {
  paymentId: string;
  /** Of the provider's intent before the attempt: what came of it has another one. */
  mark: string;
  /** The provider's code; `not_heard`: it never reached the bank. Null while it is open. */
  refusal: string | null;
}

/**
 * What this tab remembers of the paying that its client does in it, through a reload. Nothing of the card. It goes
 * with the sign-in.
 */
export interface PaymentVisit {
  /** What was said of this search; null where nothing was. */
  answersFor(caseSearchId: string): Confirmed | null;
  keepAnswers(caseSearchId: string, confirmed: Confirmed): void;
  /** The last attempt; the same object until something changes. */
  attempt(): PaymentAttempt | null;
  setAttempt(attempt: PaymentAttempt | null): void;
  subscribe(listener: () => void): () => void;
}

/** @param tab keeps for as long as the tab is open */
export function createPaymentVisit(tab: PersistedState, auth: AuthStore): PaymentVisit {
  const listeners = new Set<() => void>();
  const owner = () => auth.get()?.client?.id ?? null;
  let ownedBy = owner();
  let state = readVisit(tab, ownedBy);

  const set = (next: VisitState) => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const keep = (next: VisitState) => {
    if (ownedBy) tab.write('payment-visit', { clientId: ownedBy, ...next } satisfies StoredVisit);
    set(next);
  };
  auth.subscribe(() => {
    if (owner() === ownedBy) return;
    ownedBy = owner();
    set(readVisit(tab, ownedBy));
  });

  return {
    answersFor: (id) => state.answers.find(({ caseSearchId }) => caseSearchId === id)?.confirmed ?? null,
    keepAnswers: (caseSearchId, confirmed) => {
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

interface VisitState {
  answers: { caseSearchId: string; confirmed: Confirmed }[];
  attempt: PaymentAttempt | null;
}

type StoredVisit = VisitState & { clientId: string };

const isStoredVisit = isRecordOf<StoredVisit>({
  clientId: isText,
  answers: isListOf(
    isRecordOf<VisitState['answers'][number]>({
      caseSearchId: isText,
      confirmed: isConfirmed,
    }),
  ),
  attempt: isNullOr(
    isRecordOf<PaymentAttempt>({ paymentId: isText, mark: isText, refusal: isNullOr(isText) }),
  ),
});

function readVisit(tab: PersistedState, clientId: string | null): VisitState {
  const found = tab.read('payment-visit');
  if (!clientId || !isStoredVisit(found) || found.clientId !== clientId)
    return { answers: [], attempt: null };
  return { answers: found.answers, attempt: found.attempt };
}
