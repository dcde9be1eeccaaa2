import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeBrowser, openFakeState } from '../../fixtures/fake-browser.ts';
import { draftsFor } from '../api/drafts/drafts.ts';
import { readPublicConfig } from '../api/services/public-config.ts';
import { createAuthStore } from '../api/session/auth-store.ts';
import { createPaymentInProgress } from '../api/session/payment-in-progress.ts';
import { createDelivery } from './create-delivery.ts';

const own = { id: 'own', timestamp: 1_000 };
const later = { id: 'later', timestamp: 2_000 };
const manifest = {
  ...own,
  matcher: { static: { '/main': { redirect: '/' } }, wildcard: {} },
  prerendered: [],
};
const hour = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Opens a tab at `/` with the build `own`; tests change what the server answers. */
function openTab({ checkEvery = 3_600, effectiveType = '4g', servedManifest = manifest as unknown } = {}) {
  const parts = createFakeBrowser().openTab();
  const persisted = openFakeState('local', parts);
  const tab = openFakeState('session', parts);
  const auth = createAuthStore(persisted);
  const paymentInProgress = createPaymentInProgress();
  const server = { latest: own as unknown, manifest: servedManifest, isAway: false, status: 200 };
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    if (server.isAway) throw new TypeError('Failed to fetch');
    const body = path.startsWith('/builds/meta/') ? server.manifest : server.latest;
    const { status } = server;
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });
  const loads: string[] = [];
  const location = {
    origin: 'https://x',
    href: 'https://x/milestones',
    pathname: '/milestones',
    reload: () => loads.push(location.href),
    assign: (href: string) => loads.push(href),
  };
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    getElementById: () => ({ textContent: JSON.stringify(own) }),
  });
  const navigator = { onLine: true, connection: { effectiveType } };
  const entry = Object.create({
    replaceState(this: { state: unknown }, state: unknown) {
      this.state = state;
    },
  });
  const window = Object.assign(new EventTarget(), {
    document,
    location,
    navigator,
    history: entry,
  }) as unknown as Window;
  const config = { ...readPublicConfig(null), builds: { check_every: checkEvery } };
  const services = { config, auth, persisted, tab, paymentInProgress };
  const delivery = createDelivery({ services, shownPath: () => '/', window });
  return { delivery, services, server, requests, loads, document, navigator, window };
}

const checks = (requests: string[]) =>
  requests.filter((path) => path.startsWith('/builds/latest.json?')).length;
const to = { pathname: '/milestones', href: '/milestones' };

describe('an open tab', () => {
  test.each([
    [0, 0.9],
    [0.999, 1.0998],
  ])('checks for a newer build every hour, give or take 10% (random %d)', async (random, first) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { requests } = openTab();
    await vi.advanceTimersByTimeAsync(hour * first - 1_000);
    expect(checks(requests)).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(checks(requests)).toBe(1);
    await vi.advanceTimersByTimeAsync(hour * first);
    expect(checks(requests)).toBe(2);
  });

  test('makes no build requests when checks are off and the connection is very slow', async () => {
    const { requests } = openTab({ checkEvery: 0, effectiveType: 'slow-2g' });
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect(requests).toEqual([]);
  });

  test('checks for a newer build as soon as a tab hidden for hours becomes visible', async () => {
    const { requests, document } = openTab();
    await vi.advanceTimersByTimeAsync(hour / 2);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(checks(requests)).toBe(0);
    // Browsers suspend the timers of background tabs.
    vi.setSystemTime(Date.now() + 3 * hour);
    document.visibilityState = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(checks(requests)).toBe(0);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(checks(requests)).toBe(1);
  });

  test('checks for a newer build when a chunk of a screen failed to load', async () => {
    const { requests, window } = openTab();
    window.dispatchEvent(new Event('vite:preloadError'));
    expect(checks(requests)).toBe(1);
  });

  test('follows the redirects of its build manifest, and works without an unreadable one', async () => {
    const { delivery } = openTab();
    await vi.advanceTimersByTimeAsync(0);
    expect(await delivery.beforeNavigation({ pathname: '/main', href: '/main' })).toBe('/');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const other = openTab({ servedManifest: '<html>' });
    await vi.advanceTimersByTimeAsync(0);
    expect(await other.delivery.beforeNavigation({ pathname: '/main', href: '/main' })).toBeUndefined();
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe('navigating once there is a newer build', () => {
  async function openOldTab() {
    const tab = openTab({ checkEvery: 60 });
    tab.server.latest = later;
    await vi.advanceTimersByTimeAsync(70_000);
    return tab;
  }
  /** Whether a navigation loads the whole page. */
  async function loadsPage({ delivery, loads }: ReturnType<typeof openTab>, navigation = to) {
    const before = loads.length;
    void delivery.beforeNavigation(navigation);
    await vi.advanceTimersByTimeAsync(100);
    return loads.length > before;
  }

  test('holds a navigation back while the newer build loads, until that load is stopped', async () => {
    const { delivery, loads } = await openOldTab();
    let hasContinued = false;
    void delivery.beforeNavigation(to).then(() => {
      hasContinued = true;
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([loads, hasContinued]).toEqual([['https://x/milestones'], false]);
    // The client stopped the load, so the page is still here.
    await vi.advanceTimersByTimeAsync(6_000);
    expect(hasContinued).toBe(true);
  });

  test('does not load a newer build for a navigation within the same screen', async () => {
    const tab = await openOldTab();
    expect(await loadsPage(tab, { pathname: '/', href: '/?page=2#top' })).toBe(false);
  });

  test('does not repeat an unsuccessful load of a newer build for 10 minutes', async () => {
    const tab = await openOldTab();
    expect(await loadsPage(tab)).toBe(true);
    expect(await loadsPage(tab)).toBe(false);
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect(await loadsPage(tab)).toBe(true);
  });

  test.each<[string, (tab: ReturnType<typeof openTab>) => void]>([
    ['a payment is in progress', ({ services }) => services.paymentInProgress.start()],
    ['a form has unsent entries', ({ services }) => draftsFor(services).set('form', {})],
    ['the deployment has been rolled back', ({ server }) => Object.assign(server, { latest: own })],
    ['the browser is offline', ({ navigator }) => Object.assign(navigator, { onLine: false })],
    ['the server is unreachable', ({ server }) => Object.assign(server, { isAway: true })],
  ])('does not load a newer build while %s', async (_case, arrange) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const tab = await openOldTab();
    arrange(tab);
    expect(await loadsPage(tab)).toBe(false);
  });
});

describe('a sign-in that has expired', () => {
  test('shows why the sign-in ended before loading a newer build', async () => {
    const tab = openTab({ checkEvery: 60 });
    tab.server.latest = later;
    await vi.advanceTimersByTimeAsync(70_000);
    tab.services.auth.signIn({ access_token: 'x', token_type: 'Bearer', expires_in: 3_600 });
    tab.services.auth.clear('expired');
    void tab.delivery.beforeNavigation({ pathname: '/login', href: '/login' });
    await vi.advanceTimersByTimeAsync(100);
    expect(tab.loads).toEqual([]);
    tab.services.auth.signIn({ access_token: 'x', token_type: 'Bearer', expires_in: 3_600 });
    tab.services.auth.clear('signed_out');
    void tab.delivery.beforeNavigation({ pathname: '/login', href: '/login' });
    await vi.advanceTimersByTimeAsync(100);
    expect(tab.loads).toEqual(['https://x/login']);
  });
});

describe('a screen that failed to load', () => {
  test('reports a failed screen as offline or unreachable without reloading', async () => {
    const { delivery, navigator, server, loads } = openTab();
    server.isAway = true;
    expect(await delivery.recoverFromFailure()).toBe('unreachable');
    navigator.onLine = false;
    expect(await delivery.recoverFromFailure()).toBe('offline');
    expect(await delivery.reloadPage()).toBe('offline');
    expect(loads).toEqual([]);
  });

  test.each([502, 503])('does not reload a failed screen while the server answers %d', async (status) => {
    const { delivery, server, loads } = openTab();
    server.status = status;
    expect(await delivery.recoverFromFailure()).toBe('unreachable');
    expect(await delivery.reloadPage()).toBe('unreachable');
    expect(loads).toEqual([]);
    server.status = 404;
    void delivery.recoverFromFailure();
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toEqual(['https://x/milestones']);
  });

  test('fault 54: asks before reloading a failed screen over a payment or unsent entries', async () => {
    const { delivery, services, loads } = openTab();
    const end = services.paymentInProgress.start();
    expect(await delivery.recoverFromFailure()).toBe('payment-at-risk');
    end();
    draftsFor(services).set('form', {});
    expect(await delivery.recoverFromFailure()).toBe('entries-at-risk');
    expect(loads).toEqual([]);
    void delivery.reloadPage();
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toEqual(['https://x/milestones']);
  });
});
