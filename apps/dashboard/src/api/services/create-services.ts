import { watchActivity } from '@keyturn/browser/activity/watch-activity.ts';
import { createCall } from '../client/call.ts';
import { fetchWithEarlyAnswers } from '../client/early-answers.ts';
import { watchClock } from '../client/watch-clock.ts';
import { createAuthStore } from '../session/auth-store.ts';
import { createPaymentInProgress } from '../session/payment-in-progress.ts';
import { type BrowserParts, openPersistedState } from '../session/persisted-state.ts';
import { createRecordingChoice } from '../session/recording-choice.ts';
import { createErrorReports } from './error-reports.ts';
import { createLiveStore } from './live-store.ts';
import { createMaintenanceStore } from './maintenance-store.ts';
import { readPublicConfig } from './public-config.ts';
import type { Services } from './services.ts';

/** Creates the services of the dashboard from its page and the browser. */
export function createServices(window: Window): Services {
  const { document } = window;
  const config = readPublicConfig(document.getElementById('keyturn-config')?.textContent);
  const browser: BrowserParts = {
    localStorage: () => window.localStorage,
    sessionStorage: () => window.sessionStorage,
    document,
    isSecure: window.location.protocol === 'https:',
    events: window,
    channel: typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('keyturn.state'),
  };
  const persisted = openPersistedState(config.persisted_state, browser);
  const tab = openPersistedState(
    { ...config.persisted_state, storage: 'session' },
    { ...browser, channel: null },
  );
  const auth = createAuthStore(persisted);
  // Signing out on any screen deletes the details of a payment.
  const forgetPayment = () => {
    if (!auth.get()) tab.remove('payment-tab');
  };
  forgetPayment();
  auth.subscribe(forgetPayment);
  const activity = watchActivity({
    events: window,
    channel: typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('keyturn.activity'),
  });
  const errorReports = createErrorReports();
  const live = createLiveStore();
  const maintenance = createMaintenanceStore(config.maintenance, () => call);
  const clock = watchClock(fetchWithEarlyAnswers(window.keyturnEarlyRequests));
  const call = createCall({
    baseUrl: config.api_base_url,
    fetch: clock.fetch,
    credential: auth.credential,
    blocksCookies: !window.navigator.cookieEnabled,
    // A late 401 may be about an older sign-in than the current one.
    onUnauthenticated: (credential) => {
      if (credential === auth.credential()) auth.reject();
    },
    onMaintenance: () => void maintenance.refresh(),
    onFailure: errorReports.report,
    consumeActivity: activity.consume,
    socketId: () => live.get().socketId,
  });
  return {
    config,
    persisted,
    tab,
    auth,
    recordingChoice: createRecordingChoice(config, persisted, auth),
    activity,
    maintenance,
    isClockWrong: clock.isClockWrong,
    live,
    paymentInProgress: createPaymentInProgress(),
    // Filled by app/startup/start-delivery.ts.
    delivery: { current: null, start: () => Promise.reject() },
    errorReports,
    call,
  };
}
