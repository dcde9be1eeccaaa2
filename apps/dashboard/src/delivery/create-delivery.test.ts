import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeBrowser, openFakeState } from '../../fixtures/fake-browser.ts';
import { readPublicConfig } from '../api/client/public-config.ts';
import { draftsOf } from '../api/drafts/drafts.ts';
import { createAuthStore } from '../api/session/auth-state.ts';
import { createPaymentUnderWay } from '../api/session/payment-under-way.ts';
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

/** A tab at `/` of the build `own`; what the server says can be changed. */
function openTab({ checkEvery = 3_600, effectiveType = '4g', told = manifest as unknown } = {}) {
  const parts = createFakeBrowser().openTab();
  const persisted = openFakeState('local', parts);
  const tab = openFakeState('session', parts);
  const auth = createAuthStore(persisted);
  const paymentUnderWay = createPaymentUnderWay();
  const server = { latest: own as unknown, manifest: told, isAway: false, status: 200 };
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
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
  const services = { config, auth, persisted, tab, paymentUnderWay };
  const delivery = createDelivery({ services, shownPath: () => '/', window });
  return { delivery, services, server, asked, loads, document, navigator, window };
}

const looks = (asked: string[]) => asked.filter((path) => path.startsWith('/builds/latest.json?')).length;
const to = { pathname: '/milestones', href: '/milestones' };

describe('an open tab', () => {
  test.each([
    [0, 0.9],
    [0.999, 1.0998],
  ])('looks for a newer build every hour, within a tenth: %d', async (random, first) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { asked } = openTab();
    await vi.advanceTimersByTimeAsync(hour * first - 1_000);
    expect(looks(asked)).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(looks(asked)).toBe(1);
    await vi.advanceTimersByTimeAsync(hour * first);
    expect(looks(asked)).toBe(2);
  });

  test('looks for none where that was switched off, and reads no manifest on a very slow line', async () => {
    const { asked } = openTab({ checkEvery: 0, effectiveType: 'slow-2g' });
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect(asked).toEqual([]);
  });

  test('delivery 8: looks at once when it is looked at again after longer than that', async () => {
    const { asked, document } = openTab();
    await vi.advanceTimersByTimeAsync(hour / 2);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(looks(asked)).toBe(0);
    // The timers of a tab in the background stand still.
    vi.setSystemTime(Date.now() + 3 * hour);
    document.visibilityState = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(looks(asked)).toBe(0);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(looks(asked)).toBe(1);
  });

  test('delivery 11: looks at once when a part of a screen did not arrive', async () => {
    const { asked, window } = openTab();
    window.dispatchEvent(new Event('vite:preloadError'));
    expect(looks(asked)).toBe(1);
  });

  test('goes by the rules of its manifest, and without where it cannot be read', async () => {
    const { delivery } = openTab();
    await vi.advanceTimersByTimeAsync(0);
    expect(await delivery.beforeScreen({ pathname: '/main', href: '/main' })).toBe('/');
    const told = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const other = openTab({ told: '<html>' });
    await vi.advanceTimersByTimeAsync(0);
    expect(await other.delivery.beforeScreen({ pathname: '/main', href: '/main' })).toBeUndefined();
    expect(told).toHaveBeenCalledOnce();
  });
});

describe('once there is a newer build', () => {
  async function openOldTab() {
    const tab = openTab({ checkEvery: 60 });
    tab.server.latest = later;
    await vi.advanceTimersByTimeAsync(70_000);
    return tab;
  }
  /** Whether the next step loads the page anew. */
  async function loadsAnew({ delivery, loads }: ReturnType<typeof openTab>, step = to) {
    const before = loads.length;
    void delivery.beforeScreen(step);
    await vi.advanceTimersByTimeAsync(100);
    return loads.length > before;
  }

  test('delivery 4: the step to the next screen does not go on while its page is loaded', async () => {
    const { delivery, loads } = await openOldTab();
    let wentOn = false;
    void delivery.beforeScreen(to).then(() => {
      wentOn = true;
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([loads, wentOn]).toEqual([['https://x/milestones'], false]);
    // Somebody stopped the load.
    await vi.advanceTimersByTimeAsync(6_000);
    expect(wentOn).toBe(true);
  });

  test('delivery 3: a step within the same screen loads nothing anew', async () => {
    const tab = await openOldTab();
    expect(await loadsAnew(tab, { pathname: '/', href: '/?page=2#top' })).toBe(false);
  });

  test('delivery 5: one load in vain is not repeated for ten minutes', async () => {
    const tab = await openOldTab();
    expect(await loadsAnew(tab)).toBe(true);
    expect(await loadsAnew(tab)).toBe(false);
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect(await loadsAnew(tab)).toBe(true);
  });

  test.each<[string, (tab: ReturnType<typeof openTab>) => void]>([
    ['delivery 6: a payment under way', ({ services }) => services.paymentUnderWay.begin()],
    ['delivery 6: something entered and not sent', ({ services }) => draftsOf(services).set('form', {})],
    ['delivery 5: a deployment that is taken back', ({ server }) => Object.assign(server, { latest: own })],
    [
      'delivery 12: a connection that is away',
      ({ navigator }) => Object.assign(navigator, { onLine: false }),
    ],
    ['delivery 12: a server that is away', ({ server }) => Object.assign(server, { isAway: true })],
  ])('%s is left alone', async (_what, begin) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const tab = await openOldTab();
    begin(tab);
    expect(await loadsAnew(tab)).toBe(false);
  });
});

describe('a sign-in that ended by itself', () => {
  test('has its reason told before a newer build is loaded', async () => {
    const tab = openTab({ checkEvery: 60 });
    tab.server.latest = later;
    await vi.advanceTimersByTimeAsync(70_000);
    tab.services.auth.signIn({ access_token: 'x', token_type: 'Bearer', expires_in: 3_600 });
    tab.services.auth.clear('expired');
    void tab.delivery.beforeScreen({ pathname: '/login', href: '/login' });
    await vi.advanceTimersByTimeAsync(100);
    expect(tab.loads).toEqual([]);
    tab.services.auth.signIn({ access_token: 'x', token_type: 'Bearer', expires_in: 3_600 });
    tab.services.auth.clear('left');
    void tab.delivery.beforeScreen({ pathname: '/login', href: '/login' });
    await vi.advanceTimersByTimeAsync(100);
    expect(tab.loads).toEqual(['https://x/login']);
  });
});

describe('a screen that did not arrive', () => {
  test('delivery 12: is the connection that is away, or the server', async () => {
    const { delivery, navigator, server, loads } = openTab();
    server.isAway = true;
    expect(await delivery.afterFailure()).toBe('unreachable');
    navigator.onLine = false;
    expect(await delivery.afterFailure()).toBe('offline');
    expect(await delivery.loadAnew()).toBe('offline');
    expect(loads).toEqual([]);
  });

  test.each([502, 503])('delivery 12: is not loaded into a server that answers %d', async (status) => {
    const { delivery, server, loads } = openTab();
    server.status = status;
    expect(await delivery.afterFailure()).toBe('unreachable');
    expect(await delivery.loadAnew()).toBe('unreachable');
    expect(loads).toEqual([]);
    server.status = 404;
    void delivery.afterFailure();
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toEqual(['https://x/milestones']);
  });

  test('delivery 6: is not had over a payment or an entry without asking', async () => {
    const { delivery, services, loads } = openTab();
    const end = services.paymentUnderWay.begin();
    expect(await delivery.afterFailure()).toBe('payment-at-risk');
    end();
    draftsOf(services).set('form', {});
    expect(await delivery.afterFailure()).toBe('entries-at-risk');
    expect(loads).toEqual([]);
    void delivery.loadAnew();
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toEqual(['https://x/milestones']);
  });
});
