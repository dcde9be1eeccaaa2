import { useSyncExternalStore } from 'react';
import { type Services, useServices } from '../services/services.ts';
import { type CaseInUse, type CaseStore, createCaseStore } from './case-state.ts';

/** The one store of a page; made where a signed-in client first needs it, so that sign-in comes without it. */
export function caseStoreOf({ persisted, auth }: Pick<Services, 'persisted' | 'auth'>): CaseStore {
  const store = stores.get(auth) ?? createCaseStore(persisted, auth);
  stores.set(auth, store);
  return store;
}

const stores = new WeakMap<Services['auth'], CaseStore>();

export const useCaseStore = (): CaseStore => caseStoreOf(useServices());

export function useCaseState(): CaseInUse {
  const caseState = useCaseStore();
  return useSyncExternalStore(caseState.subscribe, caseState.get, caseState.get);
}
