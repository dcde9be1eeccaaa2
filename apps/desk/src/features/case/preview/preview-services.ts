import { createStore } from '@keyturn/browser/store/create-store.ts';
import type { PublicConfig } from '@keyturn/contract';
import type { Call } from '@keyturn/dashboard/api/client/call.ts';
import { createErrorReports } from '@keyturn/dashboard/api/services/error-reports.ts';
import { createLiveStore, noChannel } from '@keyturn/dashboard/api/services/live-store.ts';
import type { Services } from '@keyturn/dashboard/api/services/services.ts';
import { createAuthStore } from '@keyturn/dashboard/api/session/auth-store.ts';
import { createPaymentInProgress } from '@keyturn/dashboard/api/session/payment-in-progress.ts';
import type { PersistedState } from '@keyturn/dashboard/api/session/persisted-state.ts';
import { createRecordingChoice } from '@keyturn/dashboard/api/session/recording-choice.ts';

/**
 * Creates the services of the client’s screens for the preview: without a sign-in of the client, without storage, and
 * without a connection for live updates, which the desk replaces.
 */
export function createPreviewServices(config: PublicConfig, call: Call): Services {
  const persisted = createMemoryState();
  const auth = createAuthStore(persisted);
  const live = createLiveStore();
  // The desk tells the preview when to refetch, so the screens poll as rarely as with live updates.
  live.set({ ...noChannel, status: 'live' });
  return {
    config,
    persisted,
    tab: createMemoryState(),
    auth,
    recordingChoice: createRecordingChoice({ error_reporting: null }, persisted, auth),
    activity: { lastAt: Date.now, consume: () => false, record: () => undefined },
    maintenance: {
      get: () => config.maintenance,
      refresh: async () => undefined,
      subscribe: () => () => undefined,
    },
    isClockWrong: createStore(false),
    live,
    paymentInProgress: createPaymentInProgress(),
    delivery: { current: null, start: () => Promise.reject(new Error('the preview has no delivery')) },
    errorReports: createErrorReports(),
    call,
  };
}

/** The storage of this browser may belong to a client who uses it. */
function createMemoryState(): PersistedState {
  const entries = new Map<string, unknown>();
  return {
    kind: 'session',
    lasts: false,
    read: (name) => entries.get(name),
    write: (name, value) => void entries.set(name, value),
    remove: (name) => void entries.delete(name),
    onChangeElsewhere: () => () => undefined,
  };
}
