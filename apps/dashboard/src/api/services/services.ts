import type { Activity } from '@keyturn/browser/activity/watch-activity.ts';
import { type ReadableStore, useStore } from '@keyturn/browser/store/create-store.ts';
import type { PublicConfig } from '@keyturn/contract';
import { createContext, useContext } from 'react';
import type { Call } from '../client/call.ts';
import type { AuthState, AuthStore } from '../session/auth-store.ts';
import type { PaymentInProgress } from '../session/payment-in-progress.ts';
import type { PersistedState } from '../session/persisted-state.ts';
import type { RecordingChoice } from '../session/recording-choice.ts';
import type { DeliverySlot } from './delivery.ts';
import type { ErrorReports } from './error-reports.ts';
import type { LiveStore } from './live-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';

/** The services that every screen can use; created once per page. */
export interface Services {
  config: PublicConfig;
  persisted: PersistedState;
  /** State that belongs to this tab and ends with it. */
  tab: PersistedState;
  auth: AuthStore;
  recordingChoice: RecordingChoice;
  activity: Activity;
  maintenance: MaintenanceStore;
  /** Whether this device’s clock differs from the server’s by more than ten minutes. */
  isClockWrong: ReadableStore<boolean>;
  live: LiveStore;
  paymentInProgress: PaymentInProgress;
  delivery: DeliverySlot;
  errorReports: ErrorReports;
  call: Call;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices needs a ServicesContext around the component');
  return services;
}

export const useAuthState = (): AuthState | null => useStore(useServices().auth);
