import { describe, expect, test } from 'vitest';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';

const kinds = ['local', 'session', 'cookie'] as const;

describe.each(kinds)('state kept in %s storage', (kind) => {
  test('is read as it was written, in any script', () => {
    const state = openFakeState(kind, createFakeBrowser().openTab());
    const value = { name: 'Łukaszewicz; Path=/ "李" 😀', list: [1, null, { deep: true }] };
    state.write('auth', value);
    expect(state.read('auth')).toEqual(value);
  });

  test('is gone once removed', () => {
    const state = openFakeState(kind, createFakeBrowser().openTab());
    state.write('auth', { token: 'one' });
    state.remove('auth');
    expect(state.read('auth')).toBeUndefined();
  });

  test('leaves nothing of its probe behind', () => {
    const browser = createFakeBrowser();
    openFakeState(kind, browser.openTab());
    expect([...browser.local.entries.keys(), browser.document.cookie]).toEqual(['']);
  });

  test('that is removed in one tab is removed in the other', () => {
    const browser = createFakeBrowser();
    const [one, other] = [openFakeState(kind, browser.openTab()), openFakeState(kind, browser.openTab())];
    one.write('auth', { token: 'one' });
    other.write('auth', { token: 'one' });
    const heard: string[] = [];
    other.onChangeElsewhere((name) => heard.push(name));
    one.remove('auth');
    expect(heard).toEqual(['auth']);
    expect(other.read('auth')).toBeUndefined();
  });
});

describe('what stands in storage is hostile', () => {
  const readBack = (text: string) => {
    const browser = createFakeBrowser();
    browser.local.setItem('keyturn.auth', text);
    return openFakeState('local', browser.openTab()).read('auth');
  };

  test('a sound entry is read', () => {
    expect(readBack('{"version":1,"value":{"token":"one"}}')).toEqual({ token: 'one' });
  });

  test.each([
    ['broken JSON', '{"version":1,"value":'],
    ['no entry at all', 'null'],
    ['a list', '[1,2]'],
    ['an outdated version', '{"version":0,"value":{}}'],
    ['a version in words', '{"version":"1","value":{}}'],
    ['__proto__', '{"version":1,"value":{"__proto__":{"admin":true}}}'],
    ['constructor', '{"version":1,"value":{"constructor":{"prototype":{}}}}'],
    ['five megabytes', `{"version":1,"value":"${'x'.repeat(5_000_000)}"}`],
  ])('%s counts as nothing', (_, text) => {
    expect(readBack(text)).toBeUndefined();
  });
});

describe('without storage', () => {
  test('what was written holds until the page is left', () => {
    const browser = createFakeBrowser();
    browser.local.closed = true;
    const tab = browser.openTab();
    const state = openFakeState('local', tab);
    state.write('auth', { token: 'one' });
    expect(state.read('auth')).toEqual({ token: 'one' });
    expect(openFakeState('local', tab).read('auth')).toBeUndefined();
  });

  test('a full storage keeps the newest value and drops the stale one', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const state = openFakeState('local', tab);
    state.write('case', 'old');
    browser.local.room = 30;
    state.write('case', 'a value that no longer fits');
    expect(state.read('case')).toBe('a value that no longer fits');
    expect(openFakeState('local', tab).read('case')).toBeUndefined();
  });

  test('a storage that closes later is no fault', () => {
    const browser = createFakeBrowser();
    const state = openFakeState('local', browser.openTab());
    browser.local.closed = true;
    expect(() => state.write('auth', 'one')).not.toThrow();
    expect(() => state.remove('auth')).not.toThrow();
    expect(state.read('auth')).toBeUndefined();
  });

  test('a cookie that the browser does not keep stays with the page', () => {
    const state = openFakeState('cookie', createFakeBrowser().openTab());
    state.write('case', 'x'.repeat(5_000));
    expect(state.read('case')).toBe('x'.repeat(5_000));
  });
});

describe('other tabs', () => {
  test('are told through the browser as well, and only of our own entries', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const heard: string[] = [];
    openFakeState('local', tab).onChangeElsewhere((name) => heard.push(name));
    const tell = (key: string | null) =>
      (tab.events as EventTarget).dispatchEvent(
        Object.assign(new Event('storage'), { key, storageArea: browser.local }),
      );
    tell('keyturn.auth');
    tell('somebody.else');
    tell(null);
    expect(heard).toEqual(['auth', 'auth', 'case']);
  });

  test('do not take over what a tab keeps in its own session', () => {
    const browser = createFakeBrowser();
    const [one, other] = [
      openFakeState('session', browser.openTab()),
      openFakeState('session', browser.openTab()),
    ];
    const heard: string[] = [];
    other.onChangeElsewhere((name) => heard.push(name));
    one.write('auth', { token: 'one' });
    expect(heard).toEqual([]);
    expect(other.read('auth')).toBeUndefined();
  });

  test('are not listened to any more after the way out', () => {
    const browser = createFakeBrowser();
    const [one, other] = [
      openFakeState('local', browser.openTab()),
      openFakeState('local', browser.openTab()),
    ];
    const heard: string[] = [];
    other.onChangeElsewhere((name) => heard.push(name))();
    one.write('auth', { token: 'one' });
    expect(heard).toEqual([]);
  });
});

describe('the configured options', () => {
  test('name what is kept', () => {
    const browser = createFakeBrowser();
    openFakeState('local', browser.openTab(), { prefix: 'alder.' }).write('auth', 1);
    expect([...browser.local.entries.keys()]).toEqual(['alder.auth']);
  });

  test('bound the life of a cookie, whatever is asked for, and say who gets it', () => {
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
