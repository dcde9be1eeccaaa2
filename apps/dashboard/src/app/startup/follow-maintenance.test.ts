import type { Maintenance } from '@keyturn/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../api/client/call.ts';
import { createLiveStore, noChannel } from '../../api/services/live-store.ts';
import { createMaintenanceStore } from '../../api/services/maintenance-store.ts';
import { createPaymentInProgress } from '../../api/session/payment-in-progress.ts';
import { followMaintenance } from './follow-maintenance.ts';

const open: Maintenance = { general: null, case_history: null };
const closed: Maintenance = { general: { message: null, until: null }, case_history: null };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tab: what the server says can be changed, and how often the guards ran again is counted. */
function openTab() {
  const tab = { says: open, visible: true, guardsRan: 0, asked: 0, fails: false };
  const call = (async () => {
    tab.asked += 1;
    if (tab.fails) throw new Error('away');
    return { ...tab.says };
  }) as unknown as Call;
  const maintenance = createMaintenanceStore(open, () => call);
  const paymentInProgress = createPaymentInProgress();
  const page = new EventTarget();
  Object.defineProperty(page, 'visibilityState', { get: () => (tab.visible ? 'visible' : 'hidden') });
  const router = {
    invalidate: async () => {
      tab.guardsRan += 1;
    },
  };
  const live = createLiveStore();
  followMaintenance({ maintenance, paymentInProgress, live }, router, page as unknown as Document);
  return { tab, page, maintenance, paymentInProgress, live };
}

describe('an open tab', () => {
  test('follows maintenance within five seconds, and its end', async () => {
    const { tab, maintenance } = openTab();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.guardsRan).toBe(0);
    tab.says = closed;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(maintenance.get()).toEqual(closed);
    tab.says = open;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(tab.guardsRan).toBe(2);
  });

  test('leaves a payment under way alone until it is over', async () => {
    const { tab, paymentInProgress } = openTab();
    const end = paymentInProgress.start();
    tab.says = closed;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tab.guardsRan).toBe(0);
    end();
    end();
    expect(tab.guardsRan).toBe(1);
  });

  test('asks nothing while it is hidden, and at once when it is seen again', async () => {
    const { tab, page } = openTab();
    tab.visible = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.asked).toBe(0);
    tab.visible = true;
    page.dispatchEvent(new Event('visibilitychange'));
    expect(tab.asked).toBe(1);
  });

  test('stays as it was while it cannot ask', async () => {
    const { tab, maintenance } = openTab();
    tab.says = closed;
    await vi.advanceTimersByTimeAsync(4_000);
    tab.fails = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(maintenance.get()).toEqual(closed);
    expect(tab.guardsRan).toBe(1);
  });

  test('asks seldom while the real-time channel would tell it', async () => {
    const { tab, live } = openTab();
    live.set({ ...noChannel, status: 'live' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.asked).toBe(2);
    live.set({ ...noChannel, status: 'waiting' });
    await vi.advanceTimersByTimeAsync(7_000);
    expect(tab.asked).toBe(4);
  });
});
