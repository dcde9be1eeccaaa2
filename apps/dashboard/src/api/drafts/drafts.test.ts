import { isObjectOf, isString } from '@keyturn/browser/checks/check.ts';
import { describe, expect, test } from 'vitest';
import { clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { createAuthStore } from '../session/auth-store.ts';
import { draftsFor } from './drafts.ts';

const isEntry = isObjectOf<{ amount: string }>({ amount: isString });
const token = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 } as const;

function openTab() {
  const parts = createFakeBrowser().openTab();
  const auth = createAuthStore(openFakeState('local', parts));
  auth.signIn(token);
  auth.setClient(clientFixture());
  /** A new load of the page in the same tab. */
  const load = () => draftsFor({ tab: openFakeState('session', parts), auth });
  const stored = () => parts.sessionStorage().getItem('keyturn.drafts');
  return { auth, load, stored, session: parts.sessionStorage() };
}

describe('delivery 9: drafts', () => {
  test('restores a draft once after a reload', () => {
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

  test('a draft exists until its form is sent, or until the next navigation after the form was closed', () => {
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

  test('never stores a draft that must not be stored', () => {
    const tab = openTab();
    const drafts = tab.load();
    drafts.set('signature', undefined);
    expect(drafts.hasAny()).toBe(true);
    drafts.saveForReload();
    expect(tab.stored()).toBeNull();
  });

  test('restores what was typed when the same client signs in again after the session ended', () => {
    const tab = openTab();
    const drafts = tab.load();
    drafts.set('other-payment', { amount: '12' });
    tab.auth.clear('expired');
    drafts.close('other-payment');
    drafts.forgetClosed();
    expect(drafts.restore('other-payment', isEntry)).toBeNull();
    tab.auth.signIn(token);
    tab.auth.setClient(clientFixture());
    expect(drafts.restore('other-payment', isEntry)).toEqual({ amount: '12' });
  });

  test('never restores what was typed for another client who signs in, nor after signing out', () => {
    const tab = openTab();
    const drafts = tab.load();
    const signInAs = (id: string) => {
      tab.auth.signIn(token);
      tab.auth.setClient(clientFixture({ id }));
    };
    drafts.set('form', { amount: '12' });
    tab.auth.clear('idle');
    drafts.clear('form');
    signInAs('tom');
    expect(drafts.restore('form', isEntry)).toBeNull();
    tab.auth.clear('signed_out');
    signInAs('amelia');
    expect(drafts.restore('form', isEntry)).toBeNull();
    drafts.set('form', { amount: '12' });
    tab.auth.clear('signed_out');
    drafts.clear('form');
    signInAs('amelia');
    expect(drafts.restore('form', isEntry)).toBeNull();
  });

  test('never restores drafts for another client, and deletes them on sign-out', () => {
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
    tab.auth.clear('signed_out');
    expect(tab.stored()).toBeNull();
  });

  test.each([
    ['of another version', '{"version":99,"value":{"clientId":"amelia","forms":{"form":{"amount":"1"}}}}'],
    ['of another shape', '{"version":1,"value":{"clientId":"amelia","forms":[1]}}'],
    ['poisoned', '{"version":1,"value":{"__proto__":{"clientId":"amelia"}}}'],
    ['broken', '{"version":1,'],
  ])('ignores a stored draft that is %s', (_what, text) => {
    const tab = openTab();
    tab.session.setItem('keyturn.drafts', text);
    expect(tab.load().restore('form', isEntry)).toBeNull();
  });
});
