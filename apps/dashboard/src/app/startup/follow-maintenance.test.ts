import type { Maintenance } from '@keyturn/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../api/client/call.ts';
import { createLiveStore, noChannel } from '../../api/services/live-store.ts';
import { createMaintenanceStore } from '../../api/services/maintenance-store.ts';
import { createPaymentInProgress } from '../../api/session/payment-in-progress.ts';
import { createFixedPlace } from '../../navigation/places.ts';
import { followMaintenance } from './follow-maintenance.ts';

const open: Maintenance = { general: null, case_history: null };
const closed: Maintenance = { general: { message: null, until: null }, case_history: null };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a tab that counts how often its guards run; tests change what the server answers. */
function openTab() {
  const tab = {
    served: open,
    visible: true,
    guardsRan: 0,
    requests: 0,
    fails: false,
    opened: [] as string[],
    state: {} as { returnTo?: string },
  };
  const call = (async () => {
    tab.requests += 1;
    if (tab.fails) throw new Error('away');
    return { ...tab.served };
  }) as unknown as Call;
  const maintenance = createMaintenanceStore(open, () => call);
  const paymentInProgress = createPaymentInProgress();
  const page = new EventTarget();
  Object.defineProperty(page, 'visibilityState', { get: () => (tab.visible ? 'visible' : 'hidden') });
  const router = {
    load: async () => {
      tab.guardsRan += 1;
    },
    open: async (href: string) => {
      tab.opened.push(href);
    },
    place: () => ({ ...createFixedPlace('/').current(), state: tab.state }),
  };
  const live = createLiveStore();
  followMaintenance({ maintenance, paymentInProgress, live }, router, page as unknown as Document);
  return { tab, page, maintenance, paymentInProgress, live };
}

describe('maintenance in an open tab', () => {
  test('when maintenance ends, and only then, opens the page that the client wanted', async () => {
    const { tab } = openTab();
    tab.served = closed;
    await vi.advanceTimersByTimeAsync(4_000);
    tab.state.returnTo = '/payments';
    tab.served = { ...closed, general: { message: 'Nearly done.', until: null } };
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.opened).toEqual([]);
    tab.served = open;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.opened).toEqual(['/payments']);
  });

  test('an open tab notices the start and end of maintenance within five seconds', async () => {
    const { tab, maintenance } = openTab();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.guardsRan).toBe(0);
    tab.served = closed;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(maintenance.get()).toEqual(closed);
    tab.served = open;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.guardsRan).toBe(2);
  });

  test('maintenance waits for a payment in progress', async () => {
    const { tab, paymentInProgress } = openTab();
    const end = paymentInProgress.start();
    tab.served = closed;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tab.guardsRan).toBe(0);
    end();
    end();
    expect(tab.guardsRan).toBe(1);
  });

  test('maintenance is not checked while the tab is hidden, and immediately when it is visible again', async () => {
    const { tab, page } = openTab();
    tab.visible = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.requests).toBe(0);
    tab.visible = true;
    page.dispatchEvent(new Event('visibilitychange'));
    expect(tab.requests).toBe(1);
  });

  test('a tab keeps the last maintenance state while the server is unreachable', async () => {
    const { tab, maintenance } = openTab();
    tab.served = closed;
    await vi.advanceTimersByTimeAsync(4_000);
    tab.fails = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(maintenance.get()).toEqual(closed);
    expect(tab.guardsRan).toBe(1);
  });

  test('maintenance is checked less often while the real-time channel is live', async () => {
    const { tab, live } = openTab();
    live.set({ ...noChannel, status: 'live' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.requests).toBe(2);
    live.set({ ...noChannel, status: 'waiting' });
    await vi.advanceTimersByTimeAsync(7_000);
    expect(tab.requests).toBe(4);
  });
});
