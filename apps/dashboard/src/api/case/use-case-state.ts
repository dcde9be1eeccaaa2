import { useStore } from '@keyturn/browser/store/create-store.ts';
import { type Services, useServices } from '../services/services.ts';
import { type ActiveCaseState, type CaseStore, createCaseStore } from './case-store.ts';

/** The case store of a page. Created on first use, so that the sign-in page does not load it. */
export function caseStoreFor({ persisted, auth }: Pick<Services, 'persisted' | 'auth'>): CaseStore {
  const store = stores.get(auth) ?? createCaseStore(persisted, auth);
  stores.set(auth, store);
  return store;
}

const stores = new WeakMap<Services['auth'], CaseStore>();

export const useCaseStore = (): CaseStore => caseStoreFor(useServices());

export const useCaseState = (): ActiveCaseState => useStore(useCaseStore());
