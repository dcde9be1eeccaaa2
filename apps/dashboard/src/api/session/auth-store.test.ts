import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { createAuthStore } from './auth-store.ts';

const token = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 } as const;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const storeIn = (
  tab: ReturnType<ReturnType<typeof createFakeBrowser>['openTab']>,
  kind: 'local' | 'session' | 'cookie' = 'local',
) => createAuthStore(openFakeState(kind, tab));

describe('signing in', () => {
  test('signing in stores token, type and expiry across visits', () => {
    const tab = createFakeBrowser().openTab();
    storeIn(tab).signIn(token);
    const later = storeIn(tab);
    expect(later.get()).toMatchObject({ ...token, client: null });
    expect(later.credential()).toBe('Bearer secret');
  });

  test('another sign-in replaces the first completely', () => {
    const tab = createFakeBrowser().openTab();
    const store = storeIn(tab);
    const second = { ...token, access_token: 'other' };
    store.signIn(token);
    store.setClient(clientFixture());
    store.signIn(second);
    expect(storeIn(tab).get()).toEqual({ ...second, obtained_at: Date.now(), client: null });
  });

  test('signing in stores the client without the case, which is stored separately', () => {
    const tab = createFakeBrowser().openTab();
    const store = storeIn(tab);
    store.signIn(token);
    store.setClient(clientFixture());
    expect(storeIn(tab).get()?.client).toMatchObject({ first_name: 'Amelia', active_case: { id: 'case' } });
    expect(storeIn(tab).get()?.client).not.toHaveProperty('conveyancing_case');
  });

  test.each([undefined, null, '', 'bearer', 'BEARER', 7, 'Bearer\r\nX: y'])(
    'signing in uses Bearer for the token type %j',
    (token_type) => {
      const store = storeIn(createFakeBrowser().openTab());
      store.signIn({ ...token, token_type });
      expect(store.credential()).toBe('Bearer secret');
    },
  );

  test('signing in keeps a token type other than Bearer', () => {
    const store = storeIn(createFakeBrowser().openTab());
    store.signIn({ ...token, token_type: 'DPoP' });
    expect(store.credential()).toBe('DPoP secret');
  });

  test('the sign-in store does not notify subscribers of a client without changes', () => {
    const store = storeIn(createFakeBrowser().openTab());
    store.signIn(token);
    store.setClient(clientFixture());
    const listener = vi.fn();
    store.subscribe(listener);
    store.setClient(clientFixture());
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('the end of a sign-in', () => {
  test('ends the sign-in when the token expires, in storage too', () => {
    const tab = createFakeBrowser().openTab();
    const store = storeIn(tab);
    store.signIn(token);
    vi.advanceTimersByTime(3599_000);
    expect(store.get()).not.toBeNull();
    vi.advanceTimersByTime(2_000);
    expect(store.get()).toBeNull();
    expect(storeIn(tab).get()).toBeNull();
  });

  test('ignores a stored sign-in that has expired', () => {
    const tab = createFakeBrowser().openTab();
    storeIn(tab).signIn(token);
    vi.setSystemTime(Date.parse('2026-11-21T11:00:00Z'));
    expect(storeIn(tab).get()).toBeNull();
  });

  test('ends an expired sign-in after the machine was asleep', () => {
    const store = storeIn(createFakeBrowser().openTab());
    store.signIn({ ...token, expires_in: 12 * 3600 });
    vi.setSystemTime(Date.parse('2026-11-23T09:00:00Z'));
    vi.advanceTimersByTime(15 * 60_000 + 100);
    expect(store.get()).toBeNull();
  });

  test('fault 48: does not end the sign-in when the clock is set back', () => {
    const tab = createFakeBrowser().openTab();
    storeIn(tab).signIn(token);
    vi.setSystemTime(Date.parse('2019-01-01T00:00:00Z'));
    expect(storeIn(tab).get()).not.toBeNull();
  });

  test.each([1999, 2050])(
    'fault 48: a browser clock in the year %i changes nothing about a sign-in',
    (year) => {
      vi.setSystemTime(Date.parse(`${year}-03-01T09:00:00Z`));
      const tab = createFakeBrowser().openTab();
      const store = storeIn(tab);
      store.signIn(token);
      vi.advanceTimersByTime(3599_000);
      expect(storeIn(tab).get()).not.toBeNull();
      vi.advanceTimersByTime(2_000);
      expect(store.get()).toBeNull();
    },
  );

  test.each(['local', 'session', 'cookie'] as const)('ends the sign-in in every tab (%s)', (kind) => {
    const browser = createFakeBrowser();
    const one = storeIn(browser.openTab(), kind);
    const other = storeIn(browser.openTab(), kind);
    one.signIn(token);
    other.signIn(token);
    const listener = vi.fn();
    other.subscribe(listener);
    one.clear('signed_out');
    expect(other.get()).toBeNull();
    expect(listener).toHaveBeenCalledTimes(1);
    expect(browser.document.cookie).toBe('');
  });
});

describe('the end of a sign-in', () => {
  test('remembers in this tab why the sign-in ended, until the next sign-in', () => {
    const tab = createFakeBrowser().openTab();
    const store = storeIn(tab);
    expect(store.signOutReason()).toBeNull();
    store.signIn(token);
    store.clear('idle');
    expect(store.signOutReason()).toBe('idle');
    store.signIn(token);
    expect(store.signOutReason()).toBeNull();
    vi.advanceTimersByTime((token.expires_in + 1) * 1000);
    expect(store.signOutReason()).toBe('expired');
  });

  test('knows that a sign-in was ended in another tab', () => {
    const browser = createFakeBrowser();
    const one = storeIn(browser.openTab());
    const other = storeIn(browser.openTab());
    one.signIn(token);
    one.clear('idle');
    expect(other.signOutReason()).toBe('other_tab');
  });
});

describe('a sign-in in another tab', () => {
  test('a sign-in in another tab signs this one in', () => {
    const browser = createFakeBrowser();
    const one = storeIn(browser.openTab());
    const other = storeIn(browser.openTab());
    one.signIn(token);
    expect(other.credential()).toBe('Bearer secret');
  });

  test('a sign-in in another tab does not sign this one in with session storage', () => {
    const browser = createFakeBrowser();
    const one = storeIn(browser.openTab(), 'session');
    const other = storeIn(browser.openTab(), 'session');
    one.signIn(token);
    expect(other.get()).toBeNull();
  });
});

describe('a stored sign-in', () => {
  test.each([
    ['a token that is not a string', { access_token: 5 }],
    ['an empty token', { access_token: '' }],
    ['a token that no header can carry', { access_token: 'naïve 😀' }],
    ['a token type with a line end', { token_type: 'Bearer\r\nX: y' }],
    ['an expiry that is not a number', { expires_in: 'soon' }],
    ['a client of another shape', { client: { id: 'amelia' } }],
    ['the CSRF token of release 0.2.0', { access_token: undefined, csrf_token: 'for-one-sign-in' }],
  ])('a stored sign-in is ignored with %s', (_, wrong) => {
    const tab = createFakeBrowser().openTab();
    openFakeState('local', tab).write('auth', {
      ...token,
      obtained_at: Date.now(),
      client: null,
      ...wrong,
    });
    expect(storeIn(tab).get()).toBeNull();
  });

  test('leaves a client out of the cookie that is too large for it', () => {
    const tab = createFakeBrowser().openTab();
    const store = storeIn(tab, 'cookie');
    store.signIn(token);
    const cases = Array.from({ length: 60 }, (_, n) => ({
      id: `${n}`,
      reference: 'KT-2026-00421',
      title: 'Purchase of The Old Chapel',
    }));
    store.setClient(clientFixture({ cases }));
    expect(store.get()?.client?.cases).toHaveLength(60);
    expect(storeIn(tab, 'cookie').get()).toMatchObject({ access_token: 'secret', client: null });
  });
});
