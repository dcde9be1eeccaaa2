import type { PublicConfig } from '@keyturn/contract';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Call } from '../client/call.ts';
import type { Activity } from '../session/activity.ts';
import type { AuthState, AuthStore } from '../session/auth-store.ts';
import type { PaymentInProgress } from '../session/payment-in-progress.ts';
import type { PersistedState } from '../session/persisted-state.ts';
import type { DeliverySlot } from './delivery.ts';
import type { ErrorReports } from './error-reports.ts';
import type { LiveStore } from './live-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';

/** What every screen may reach for; made once, in main.tsx. */
export interface Services {
  config: PublicConfig;
  persisted: PersistedState;
  /** The same for what lasts no longer than the tab, and is no other tab's business. */
  tab: PersistedState;
  auth: AuthStore;
  activity: Activity;
  maintenance: MaintenanceStore;
  live: LiveStore;
  paymentInProgress: PaymentInProgress;
  delivery: DeliverySlot;
  errorReports: ErrorReports;
  call: Call;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('a screen stands outside of its services');
  return services;
}

export function useAuthState(): AuthState | null {
  const { auth } = useServices();
  return useSyncExternalStore(auth.subscribe, auth.get, auth.get);
}
