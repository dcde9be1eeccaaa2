import {
  type Check,
  isArrayOf,
  isBoolean,
  isInteger,
  isNullOr,
  isObjectOf,
  isObjectWith,
  isOneOf,
  isString,
} from '@keyturn/browser/checks/check.ts';
import { createStore, type ReadableStore, useStore } from '@keyturn/browser/store/create-store.ts';
import {
  type CaseSearch,
  type ConveyancingCase,
  type OrderWordingVersion,
  type OtherPaymentCategory,
  orderWordingVersions,
  otherPaymentCategories,
  type PaymentWordingVersion,
  paymentWordingVersions,
} from '@keyturn/contract';
import { isCaseSearch, isConveyancingCase } from '../checks/case-checks.ts';
import { type Services, useServices } from '../services/services.ts';
import type { AuthStore } from '../session/auth-store.ts';
import type { PersistedState } from '../session/persisted-state.ts';

/** The stored state of a case, with which the next visit shows the case immediately. */
interface CaseState {
  conveyancingCase: ConveyancingCase | null;
  caseSearches: CaseSearch[];
  /** The search that the client has selected to pay for. */
  caseSearchId: string | null;
  /** The other payment that was entered last. Never set together with a selected search. */
  otherPayment: OtherPayment | null;
}

/** What a client confirms before a payment. */
export interface PaymentConfirmation {
  own_card: boolean;
  payer_name: string;
  receipt_email: string;
  /** The version of the wording that was confirmed. */
  wording: PaymentWordingVersion;
  /** The version of the request to order; only for a search. */
  order_wording?: OrderWordingVersion;
  /** The same as it was shown, with the day and the refund rule. */
  order_words?: string;
}

/**
 * A payment that is not for a search, from its entry to its receipt. The server treats the same idempotency key with the
 * same content as the same payment, so that a reload or a second tab resumes it.
 */
export interface OtherPayment {
  category: OtherPaymentCategory;
  /** Pence. */
  amount: number;
  /** The client's own reference. */
  reference: string | null;
  /** Null: for the whole case. */
  matterId: string | null;
  /** The bill that it pays; null for everything but legal fees. */
  bill: { id: string; number: string } | null;
  idempotencyKey: string;
  /** Null until the client has confirmed it. */
  confirmed: PaymentConfirmation | null;
  /** Null until the server has created the payment. */
  paymentId: string | null;
}

/** The state in use. Its generation changes with the case, so that data of one case is never shown for another. */
export interface ActiveCaseState extends CaseState {
  generation: number;
}

export interface CaseStore extends ReadableStore<ActiveCaseState> {
  /** A different case removes the searches of the old one. */
  setConveyancingCase(conveyancingCase: ConveyancingCase | null): void;
  setCaseSearches(caseSearches: CaseSearch[]): void;
  /** Replaces a payment for something else. */
  selectCaseSearch(id: string | null): void;
  /** Replaces a selected search and an earlier other payment. */
  enterOtherPayment(otherPayment: OtherPayment): void;
  /** Removes a payment that was paid or cancelled. A later one, from this tab or another, stays. */
  forgetOtherPayment(idempotencyKey: string): void;
  clear(): void;
}

/**
 * Creates the store of the signed-in client's case. The case is stored with the client's id, is never shown to another
 * client, and is deleted with the sign-in. A cookie has room only for the payment selection. If a sign-in expires, the page
 * remembers the selection in memory and restores it when the same client signs in again.
 */
export function createCaseStore(persisted: PersistedState, auth: AuthStore): CaseStore {
  const owner = () => auth.get()?.client?.id ?? null;
  let signIn = auth.credential();
  let ownedBy = owner();
  const { get, set, subscribe } = createStore<ActiveCaseState>({
    ...(readCaseState(persisted, ownedBy) ?? empty),
    generation: 0,
  });
  let interrupted: { clientId: string; selection: Selection } | null = null;

  const store = (selection: Selection = get()) => {
    if (ownedBy)
      persisted.write('case', toStored({ ...get(), ...selectionOf(selection) }, ownedBy, persisted));
  };
  const apply = (next: ActiveCaseState) => {
    // Most fetches bring no change, and must not notify subscribers.
    if (JSON.stringify(next) === JSON.stringify(get())) return false;
    set(next);
    return true;
  };
  // A tab that has only fetched data must not overwrite the selection that another tab has stored.
  const applyFetched = (next: ActiveCaseState) => {
    if (!apply(next)) return;
    const stored = readCaseState(persisted, ownedBy);
    const isSameCase =
      (stored?.conveyancingCase ?? get().conveyancingCase)?.id === get().conveyancingCase?.id;
    store(stored && isSameCase ? stored : get());
  };
  const applySelection = (next: ActiveCaseState) => {
    if (apply(next)) store();
  };
  // A new sign-in replaced the old one, for example in another tab.
  const startOver = () =>
    set({ ...(readCaseState(persisted, ownedBy) ?? empty), generation: get().generation + 1 });
  const clear = () => {
    persisted.remove('case');
    set({ ...empty, generation: get().generation + 1 });
  };

  auth.subscribe(() => {
    const before = { signIn, ownedBy };
    signIn = auth.credential();
    ownedBy = owner();
    if (!signIn) {
      if (before.signIn)
        interrupted = auth.interruptedClient() ? interruptedSelection(get(), before.ownedBy) : null;
      clear();
    } else if (signIn !== before.signIn && before.signIn) startOver();
    else if (before.ownedBy && ownedBy !== before.ownedBy) startOver();
    else if (!before.ownedBy && ownedBy) {
      if (interrupted?.clientId === ownedBy) set({ ...get(), ...interrupted.selection });
      interrupted = null;
      store();
    }
  });

  return {
    get,
    subscribe,
    setConveyancingCase: (conveyancingCase) => {
      const before = get().conveyancingCase;
      if (!before || before.id === conveyancingCase?.id) applyFetched({ ...get(), conveyancingCase });
      else applySelection({ ...empty, conveyancingCase, generation: get().generation + 1 });
    },
    setCaseSearches: (caseSearches) => applyFetched({ ...get(), caseSearches }),
    selectCaseSearch: (caseSearchId) => applySelection({ ...get(), caseSearchId, otherPayment: null }),
    enterOtherPayment: (otherPayment) => applySelection({ ...get(), otherPayment, caseSearchId: null }),
    forgetOtherPayment: (idempotencyKey) => {
      if (get().otherPayment?.idempotencyKey !== idempotencyKey) return;
      const stored = readCaseState(persisted, ownedBy);
      set({ ...get(), otherPayment: null });
      store(stored && stored.otherPayment?.idempotencyKey !== idempotencyKey ? stored : get());
    },
    clear,
  };
}

const empty: CaseState = {
  conveyancingCase: null,
  caseSearches: [],
  caseSearchId: null,
  otherPayment: null,
};

/** What the client has selected to pay. */
type Selection = Pick<CaseState, 'caseSearchId' | 'otherPayment'>;

const selectionOf = ({ caseSearchId, otherPayment }: Selection): Selection => ({
  caseSearchId,
  otherPayment,
});

const interruptedSelection = (state: CaseState, clientId: string | null) =>
  clientId ? { clientId, selection: selectionOf(state) } : null;

type StoredCaseState = CaseState & { clientId: string };

/** A confirmation with a wording that this build does not know counts as missing. */
export const isPaymentConfirmation: Check<PaymentConfirmation> = isObjectWith<
  Omit<PaymentConfirmation, 'order_wording' | 'order_words'>,
  Required<Pick<PaymentConfirmation, 'order_wording' | 'order_words'>>
>(
  {
    own_card: isBoolean,
    payer_name: isString,
    receipt_email: isString,
    wording: isOneOf(paymentWordingVersions),
  },
  { order_wording: isOneOf(orderWordingVersions), order_words: isString },
);

const isOtherPayment = isObjectOf<OtherPayment>({
  category: isOneOf(otherPaymentCategories),
  amount: isInteger,
  reference: isNullOr(isString),
  matterId: isNullOr(isString),
  bill: isNullOr(isObjectOf<{ id: string; number: string }>({ id: isString, number: isString })),
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

/** @returns null if nothing valid is stored for this client */
function readCaseState(persisted: PersistedState, clientId: string | null): CaseState | null {
  const stored = persisted.read('case');
  if (!clientId || !isStoredCaseState(stored) || stored.clientId !== clientId) return null;
  const { conveyancingCase, caseSearches } = stored;
  return { conveyancingCase, caseSearches, ...selectionOf(stored) };
}

function toStored(state: CaseState, clientId: string, { kind }: PersistedState): StoredCaseState {
  const { conveyancingCase, caseSearches } = state;
  if (kind === 'cookie') return { clientId, ...empty, ...selectionOf(state) };
  return { clientId, conveyancingCase, caseSearches, ...selectionOf(state) };
}

/** The case store of a page. Created on first use, so that the sign-in page does not load it. */
export function caseStoreFor({ persisted, auth }: Pick<Services, 'persisted' | 'auth'>): CaseStore {
  const store = stores.get(auth) ?? createCaseStore(persisted, auth);
  stores.set(auth, store);
  return store;
}

const stores = new WeakMap<Services['auth'], CaseStore>();

export const useCaseStore = (): CaseStore => caseStoreFor(useServices());

export const useCaseState = (): ActiveCaseState => useStore(useCaseStore());
