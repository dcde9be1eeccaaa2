import { describe, expect, test } from 'vitest';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';

const kinds = ['local', 'session', 'cookie'] as const;

describe.each(kinds)('state in %s storage', (kind) => {
  test('persisted state is read as it was written, in any script', () => {
    const state = openFakeState(kind, createFakeBrowser().openTab());
    const value = { name: 'Łukaszewicz; Path=/ "李" 😀', list: [1, null, { deep: true }] };
    state.write('auth', value);
    expect(state.read('auth')).toEqual(value);
  });

  test('persisted state is not found after its removal', () => {
    const state = openFakeState(kind, createFakeBrowser().openTab());
    state.write('auth', { token: 'one' });
    state.remove('auth');
    expect(state.read('auth')).toBeUndefined();
  });

  test('persisted state leaves no trace of its storage test', () => {
    const browser = createFakeBrowser();
    openFakeState(kind, browser.openTab());
    expect([...browser.local.entries.keys(), browser.document.cookie]).toEqual(['']);
  });

  test('persisted state is removed in every tab', () => {
    const browser = createFakeBrowser();
    const [one, other] = [openFakeState(kind, browser.openTab()), openFakeState(kind, browser.openTab())];
    one.write('auth', { token: 'one' });
    other.write('auth', { token: 'one' });
    const changed: string[] = [];
    other.onChangeElsewhere((name) => changed.push(name));
    one.remove('auth');
    expect(changed).toEqual(['auth']);
    expect(other.read('auth')).toBeUndefined();
  });
});

describe('an untrusted entry in storage', () => {
  const readBack = (text: string) => {
    const browser = createFakeBrowser();
    browser.local.setItem('keyturn.auth', text);
    return openFakeState('local', browser.openTab()).read('auth');
  };

  test('a valid entry of persisted state is read', () => {
    expect(readBack('{"version":1,"value":{"token":"one"}}')).toEqual({ token: 'one' });
  });

  test.each([
    ['broken JSON', '{"version":1,"value":'],
    ['null', 'null'],
    ['a list', '[1,2]'],
    ['an outdated version', '{"version":0,"value":{}}'],
    ['a version that is a string', '{"version":"1","value":{}}'],
    ['__proto__', '{"version":1,"value":{"__proto__":{"admin":true}}}'],
    ['constructor', '{"version":1,"value":{"constructor":{"prototype":{}}}}'],
    ['five megabytes', `{"version":1,"value":"${'x'.repeat(5_000_000)}"}`],
  ])('an entry of persisted state with %s counts as missing', (_, text) => {
    expect(readBack(text)).toBeUndefined();
  });
});

describe('without storage', () => {
  test('fault 52: persisted state lasts until the page is closed if storage is blocked', () => {
    const browser = createFakeBrowser();
    browser.local.isBlocked = true;
    const tab = browser.openTab();
    const state = openFakeState('local', tab);
    state.write('auth', { token: 'one' });
    expect(state.read('auth')).toEqual({ token: 'one' });
    expect(openFakeState('local', tab).read('auth')).toBeUndefined();
  });

  test('fault 52: persisted state keeps a new value on the page if storage is full', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const state = openFakeState('local', tab);
    state.write('case', 'old');
    browser.local.maxValueLength = 30;
    state.write('case', 'a value that no longer fits');
    expect(state.read('case')).toBe('a value that no longer fits');
    expect(openFakeState('local', tab).read('case')).toBeUndefined();
  });

  test('fault 52: persisted state causes no error if storage is blocked later', () => {
    const browser = createFakeBrowser();
    const state = openFakeState('local', browser.openTab());
    browser.local.isBlocked = true;
    expect(() => state.write('auth', 'one')).not.toThrow();
    expect(() => state.remove('auth')).not.toThrow();
    expect(state.read('auth')).toBeUndefined();
  });

  test('persisted state that is too large for a cookie lasts until the page is closed', () => {
    const state = openFakeState('cookie', createFakeBrowser().openTab());
    state.write('case', 'x'.repeat(5_000));
    expect(state.read('case')).toBe('x'.repeat(5_000));
  });
});

describe('other tabs', () => {
  test('persisted state receives storage events, and only for its own entries', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const changed: string[] = [];
    openFakeState('local', tab).onChangeElsewhere((name) => changed.push(name));
    const dispatchStorageEvent = (key: string | null) =>
      (tab.events as EventTarget).dispatchEvent(
        Object.assign(new Event('storage'), { key, storageArea: browser.local }),
      );
    dispatchStorageEvent('keyturn.auth');
    dispatchStorageEvent('another.entry');
    dispatchStorageEvent(null);
    expect(changed).toEqual(['auth', 'auth', 'case']);
  });

  test('persisted state in session storage is not shared between tabs', () => {
    const browser = createFakeBrowser();
    const [one, other] = [
      openFakeState('session', browser.openTab()),
      openFakeState('session', browser.openTab()),
    ];
    const changed: string[] = [];
    other.onChangeElsewhere((name) => changed.push(name));
    one.write('auth', { token: 'one' });
    expect(changed).toEqual([]);
    expect(other.read('auth')).toBeUndefined();
  });

  test('persisted state receives no storage events after it stopped listening', () => {
    const browser = createFakeBrowser();
    const [one, other] = [
      openFakeState('local', browser.openTab()),
      openFakeState('local', browser.openTab()),
    ];
    const changed: string[] = [];
    other.onChangeElsewhere((name) => changed.push(name))();
    one.write('auth', { token: 'one' });
    expect(changed).toEqual([]);
  });
});

describe('the configured options', () => {
  test('the prefix option of persisted state names the entries', () => {
    const browser = createFakeBrowser();
    openFakeState('local', browser.openTab(), { prefix: 'alder.' }).write('auth', 1);
    expect([...browser.local.entries.keys()]).toEqual(['alder.auth']);
  });

  test('the cookie options of persisted state limit lifetime, domain and SameSite', () => {
    const tab = createFakeBrowser().openTab();
    const set: string[] = [];
    const document = {
      get cookie() {
        return tab.document.cookie;
      },
      set cookie(text: string) {
        set.push(text);
        tab.document.cookie = text;
      },
    };
    const options = { max_age_days: 2, cookie_domain: 'example.test', cookie_same_site: 'lax' } as const;
    const state = openFakeState('cookie', { ...tab, document }, options);
    state.write('auth', 1);
    state.write('case', 1, 60);
    const attributes = 'Path=/; SameSite=Lax; Domain=example.test; Secure';
    expect(set.at(-2)).toMatch(new RegExp(`; Max-Age=172800; ${attributes}$`));
    expect(set.at(-1)).toMatch(new RegExp(`; Max-Age=60; ${attributes}$`));
  });
});
