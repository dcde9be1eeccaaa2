import {
  type CaseSearch,
  type ConveyancingCase,
  type OtherPaymentCategory,
  otherPaymentCategories,
  type PaymentWordingVersion,
  paymentWordings,
} from '@keyturn/contract';
import { isCaseSearch, isConveyancingCase } from '../checks/case-checks.ts';
import { isArrayOf, isBoolean, isInteger, isNullOr, isObjectOf, isOneOf, isString } from '../checks/check.ts';
import type { AuthStore } from '../session/auth-store.ts';
import type { PersistedState } from '../session/persisted-state.ts';

/** Kept across visits, so that a repeat visit shows the case at once. */
interface CaseState {
  conveyancingCase: ConveyancingCase | null;
  caseSearches: CaseSearch[];
  /** The selected search, the one to be paid for. */
  caseSearchId: string | null;
  /** The payment for no search that was entered last. Never together with a selected search. */
  otherPayment: OtherPayment | null;
}

/** What a client says on checking a payment. */
export interface PaymentConfirmation {
  own_card: boolean;
  payer_name: string;
  receipt_email: string;
  /** The words that it was said to. */
  wording: PaymentWordingVersion;
}

/**
 * A payment for no search, from its entry to its receipt. The same key with the same content is the same payment at
 * the server, so a reload and a second tab go on with it.
 */
export interface OtherPayment {
  category: OtherPaymentCategory;
  /** Pence. */
  amount: number;
  /** The client's own words for it. */
  reference: string | null;
  /** Null: for the whole case. */
  matterId: string | null;
  idempotencyKey: string;
  /** What the client said on checking it; null before. */
  confirmed: PaymentConfirmation | null;
  /** Null until the server has told it. */
  paymentId: string | null;
}

/** In use it also counts the cases looked at: what was read under one count is not of another. */
export interface ActiveCaseState extends CaseState {
  generation: number;
}

export interface CaseStore {
  /** The same object until something changes. */
  get(): ActiveCaseState;
  /** Another case than before takes the searches of the old one with it. */
  setConveyancingCase(conveyancingCase: ConveyancingCase | null): void;
  setCaseSearches(caseSearches: CaseSearch[]): void;
  /** In the place of an other payment. */
  selectCaseSearch(id: string | null): void;
  /** In the place of a selected search, and of the other payment before. */
  enterOtherPayment(otherPayment: OtherPayment): void;
  /** It is paid or given up. One that was entered since, here or in another tab, stays. */
  forgetOtherPayment(idempotencyKey: string): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
}

/**
 * The case of the signed-in client. It is stored with its client's id and never shown to another; it goes with the
 * sign-in. A cookie has room only for what is to be paid. Where a sign-in has ended by itself, this page alone remembers
 * what was to be paid, and goes on with it when the same client signs in again.
 */
export function createCaseStore(persisted: PersistedState, auth: AuthStore): CaseStore {
  const listeners = new Set<() => void>();
  const owner = () => auth.get()?.client?.id ?? null;
  let token = auth.get()?.access_token;
  let ownedBy = owner();
  let state: ActiveCaseState = { ...(readCaseState(persisted, ownedBy) ?? empty), generation: 0 };
  let interrupted: { clientId: string; choice: Choice } | null = null;

  const set = (next: ActiveCaseState) => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const store = (choice: Choice = state) => {
    if (ownedBy) persisted.write('case', storedForm({ ...state, ...choiceOf(choice) }, ownedBy, persisted));
  };
  const keep = (next: ActiveCaseState) => {
    // Most readings bring nothing new: then nobody is woken.
    if (JSON.stringify(next) === JSON.stringify(state)) return false;
    set(next);
    return true;
  };
  // A tab that has only read something leaves what another tab has chosen to pay as it is kept.
  const keepReading = (next: ActiveCaseState) => {
    if (!keep(next)) return;
    const kept = readCaseState(persisted, ownedBy);
    const isSameCase = (kept?.conveyancingCase ?? state.conveyancingCase)?.id === state.conveyancingCase?.id;
    store(kept && isSameCase ? kept : state);
  };
  const keepChoice = (next: ActiveCaseState) => {
    if (keep(next)) store();
  };
  // Another sign-in without the end of the one before: in another tab, say.
  const startOver = () =>
    set({ ...(readCaseState(persisted, ownedBy) ?? empty), generation: state.generation + 1 });
  const clear = () => {
    persisted.remove('case');
    set({ ...empty, generation: state.generation + 1 });
  };

  auth.subscribe(() => {
    const before = { token, ownedBy };
    token = auth.get()?.access_token;
    ownedBy = owner();
    if (!token) {
      if (before.token) interrupted = hasEndedByItself(auth) ? choiceToGoOnWith(state, before.ownedBy) : null;
      clear();
    } else if (token !== before.token && before.token) startOver();
    else if (before.ownedBy && ownedBy !== before.ownedBy) startOver();
    else if (!before.ownedBy && ownedBy) {
      if (interrupted?.clientId === ownedBy) set({ ...state, ...interrupted.choice });
      interrupted = null;
      store();
    }
  });

  return {
    get: () => state,
    setConveyancingCase: (conveyancingCase) => {
      const before = state.conveyancingCase;
      if (!before || before.id === conveyancingCase?.id) keepReading({ ...state, conveyancingCase });
      else keepChoice({ ...empty, conveyancingCase, generation: state.generation + 1 });
    },
    setCaseSearches: (caseSearches) => keepReading({ ...state, caseSearches }),
    selectCaseSearch: (caseSearchId) => keepChoice({ ...state, caseSearchId, otherPayment: null }),
    enterOtherPayment: (otherPayment) => keepChoice({ ...state, otherPayment, caseSearchId: null }),
    forgetOtherPayment: (idempotencyKey) => {
      if (state.otherPayment?.idempotencyKey !== idempotencyKey) return;
      const kept = readCaseState(persisted, ownedBy);
      set({ ...state, otherPayment: null });
      store(kept && kept.otherPayment?.idempotencyKey !== idempotencyKey ? kept : state);
    },
    clear,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const empty: CaseState = {
  conveyancingCase: null,
  caseSearches: [],
  caseSearchId: null,
  otherPayment: null,
};

/** What the client has chosen to pay. */
type Choice = Pick<CaseState, 'caseSearchId' | 'otherPayment'>;

const choiceOf = ({ caseSearchId, otherPayment }: Choice): Choice => ({ caseSearchId, otherPayment });

const hasEndedByItself = (auth: AuthStore) =>
  auth.signOutReason() === 'expired' || auth.signOutReason() === 'idle';

const choiceToGoOnWith = (state: CaseState, clientId: string | null) =>
  clientId ? { clientId, choice: choiceOf(state) } : null;

type StoredCaseState = CaseState & { clientId: string };

/** What was confirmed in words that this page does not know is asked for again. */
export const isPaymentConfirmation = isObjectOf<PaymentConfirmation>({
  own_card: isBoolean,
  payer_name: isString,
  receipt_email: isString,
  wording: isOneOf(Object.keys(paymentWordings) as PaymentWordingVersion[]),
});

const isOtherPayment = isObjectOf<OtherPayment>({
  category: isOneOf(otherPaymentCategories),
  amount: isInteger,
  reference: isNullOr(isString),
  matterId: isNullOr(isString),
  idempotencyKey: isString,
  confirmed: isNullOr(isPaymentConfirmation),
  paymentId: isNullOr(isString),
});

const isStoredCaseState = isObjectOf<StoredCaseState>({
  clientId: isString,
  conveyancingCase: isNullOr(isConveyancingCase),
  caseSearches: isArrayOf(isCaseSearch),
  caseSearchId: isNullOr(isString),
  otherPayment: isNullOr(isOtherPayment),
});

/** Null: nothing of this client is kept, or nothing that can be trusted. */
function readCaseState(persisted: PersistedState, clientId: string | null): CaseState | null {
  const found = persisted.read('case');
  if (!clientId || !isStoredCaseState(found) || found.clientId !== clientId) return null;
  const { conveyancingCase, caseSearches } = found;
  return { conveyancingCase, caseSearches, ...choiceOf(found) };
}

function storedForm(state: CaseState, clientId: string, { kind }: PersistedState): StoredCaseState {
  const { conveyancingCase, caseSearches } = state;
  if (kind === 'cookie') return { clientId, ...empty, ...choiceOf(state) };
  return { clientId, conveyancingCase, caseSearches, ...choiceOf(state) };
}
