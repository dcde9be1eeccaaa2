import { describe, expect, test } from 'vitest';
import { clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { isObjectOf, isString } from '../checks/check.ts';
import { createAuthStore } from '../session/auth-store.ts';
import { draftsFor } from './drafts.ts';

const isEntry = isObjectOf<{ amount: string }>({ amount: isString });
const token = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 } as const;

function openTab() {
  const parts = createFakeBrowser().openTab();
  const auth = createAuthStore(openFakeState('local', parts));
  auth.signIn(token);
  auth.setClient(clientFixture());
  /** As after each load of the page. */
  const load = () => draftsFor({ tab: openFakeState('session', parts), auth });
  const stored = () => parts.sessionStorage().getItem('keyturn.drafts');
  return { auth, load, stored, session: parts.sessionStorage() };
}

describe('delivery 9: what is entered and not sent', () => {
  test('is given back once after a reload', () => {
    const tab = openTab();
    const drafts = tab.load();
    drafts.set('other-payment', { amount: '12' });
    drafts.saveForReload();
    expect(tab.stored()).not.toContain('secret');
    const after = tab.load();
    expect(tab.stored()).toBeNull();
    expect(after.restore('another', isEntry)).toBeNull();
    expect(after.restore('other-payment', isEntry)).toEqual({ amount: '12' });
    expect(after.restore('other-payment', isEntry)).toBeNull();
    expect(tab.load().restore('other-payment', isEntry)).toBeNull();
  });

  test('counts while its form is open and until the next step, and not once it is sent', () => {
    const drafts = openTab().load();
    drafts.set('form', { amount: '1' });
    drafts.close('form');
    expect(drafts.hasAny()).toBe(true);
    drafts.forgetClosed();
    expect(drafts.hasAny()).toBe(false);
    drafts.set('form', { amount: '1' });
    drafts.clear('form');
    drafts.close('form');
    expect(drafts.hasAny()).toBe(false);
  });

  test('counts and is never kept where that was not wanted', () => {
    const tab = openTab();
    const drafts = tab.load();
    drafts.set('signature', undefined);
    expect(drafts.hasAny()).toBe(true);
    drafts.saveForReload();
    expect(tab.stored()).toBeNull();
  });

  test('is never given to another client, and goes with the sign-in', () => {
    const tab = openTab();
    const keep = () => {
      const drafts = tab.load();
      drafts.set('form', { amount: '1' });
      drafts.saveForReload();
    };
    keep();
    tab.auth.setClient(clientFixture({ id: 'tom' }));
    expect(tab.load().restore('form', isEntry)).toBeNull();
    keep();
    tab.auth.clear('left');
    expect(tab.stored()).toBeNull();
  });

  test.each([
    ['of another version', '{"version":99,"value":{"clientId":"amelia","forms":{"form":{"amount":"1"}}}}'],
    ['of another shape', '{"version":1,"value":{"clientId":"amelia","forms":[1]}}'],
    ['poisoned', '{"version":1,"value":{"__proto__":{"clientId":"amelia"}}}'],
    ['broken', '{"version":1,'],
  ])('is dropped when it is %s', (_what, text) => {
    const tab = openTab();
    tab.session.setItem('keyturn.drafts', text);
    expect(tab.load().restore('form', isEntry)).toBeNull();
  });
});
