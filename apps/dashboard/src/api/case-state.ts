import type { CaseSearch, ConveyancingCase } from '@keyturn/contract';
import type { AuthStore } from './auth-state.ts';
import { isListOf, isNullOr, isRecordOf, isText } from './check.ts';
import { isCaseSearch, isConveyancingCase } from './entity-checks.ts';
import type { PersistedState } from './persisted-state.ts';

/** Kept across visits, so that a repeat visit shows the case at once. */
interface CaseState {
  conveyancingCase: ConveyancingCase | null;
  caseSearches: CaseSearch[];
  /** The selected search, the one to be paid for. */
  caseSearchId: string | null;
}

/** In use it also counts the cases looked at: what was read under one count is not of another. */
export interface CaseInUse extends CaseState {
  generation: number;
}

export interface CaseStore {
  /** The same object until something changes. */
  get(): CaseInUse;
  /** Another case than before takes the searches of the old one with it. */
  setConveyancingCase(conveyancingCase: ConveyancingCase | null): void;
  setCaseSearches(caseSearches: CaseSearch[]): void;
  selectCaseSearch(id: string | null): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
}

/**
 * The case of the signed-in client. It is stored with its client's id and never shown to another; it goes with the
 * sign-in. A cookie has room for the selected search's id only.
 */
export function createCaseStore(persisted: PersistedState, auth: AuthStore): CaseStore {
  const listeners = new Set<() => void>();
  const owner = () => auth.get()?.client?.id ?? null;
  let token = auth.get()?.access_token;
  let ownedBy = owner();
  let state: CaseInUse = { ...readCaseState(persisted, ownedBy), generation: 0 };

  const set = (next: CaseInUse) => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const store = () => {
    if (ownedBy) persisted.write('case', storedForm(state, ownedBy, persisted));
  };
  const keep = (next: CaseInUse) => {
    // Most readings bring nothing new: then nobody is woken.
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    set(next);
    store();
  };
  // Another sign-in without the end of the one before: in another tab, say.
  const startOver = () => set({ ...readCaseState(persisted, ownedBy), generation: state.generation + 1 });
  const clear = () => {
    persisted.remove('case');
    set({ ...empty, generation: state.generation + 1 });
  };

  auth.subscribe(() => {
    const before = { token, ownedBy };
    token = auth.get()?.access_token;
    ownedBy = owner();
    if (!token) clear();
    else if (token !== before.token && before.token) startOver();
    else if (before.ownedBy && ownedBy !== before.ownedBy) startOver();
    else if (!before.ownedBy) store();
  });

  return {
    get: () => state,
    setConveyancingCase: (conveyancingCase) => {
      const before = state.conveyancingCase;
      if (!before || before.id === conveyancingCase?.id) keep({ ...state, conveyancingCase });
      else keep({ ...empty, conveyancingCase, generation: state.generation + 1 });
    },
    setCaseSearches: (caseSearches) => keep({ ...state, caseSearches }),
    selectCaseSearch: (caseSearchId) => keep({ ...state, caseSearchId }),
    clear,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const empty: CaseState = { conveyancingCase: null, caseSearches: [], caseSearchId: null };

type StoredCaseState = CaseState & { clientId: string };

const isStoredCaseState = isRecordOf<StoredCaseState>({
  clientId: isText,
  conveyancingCase: isNullOr(isConveyancingCase),
  caseSearches: isListOf(isCaseSearch),
  caseSearchId: isNullOr(isText),
});

function readCaseState(persisted: PersistedState, clientId: string | null): CaseState {
  const found = persisted.read('case');
  if (!clientId || !isStoredCaseState(found) || found.clientId !== clientId) return empty;
  const { conveyancingCase, caseSearches, caseSearchId } = found;
  return { conveyancingCase, caseSearches, caseSearchId };
}

function storedForm(state: CaseState, clientId: string, { kind }: PersistedState): StoredCaseState {
  const { conveyancingCase, caseSearches, caseSearchId } = state;
  if (kind === 'cookie') return { clientId, ...empty, caseSearchId };
  return { clientId, conveyancingCase, caseSearches, caseSearchId };
}
