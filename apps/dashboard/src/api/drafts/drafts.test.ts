import { describe, expect, test } from 'vitest';
import { clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { isRecordOf, isText } from '../client/check.ts';
import { createAuthStore } from '../session/auth-state.ts';
import { draftsOf } from './drafts.ts';

const isEntry = isRecordOf<{ amount: string }>({ amount: isText });
const token = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 } as const;

function openTab() {
  const parts = createFakeBrowser().openTab();
  const auth = createAuthStore(openFakeState('local', parts));
  auth.signIn(token);
  auth.setClient(clientFixture());
  /** As after each load of the page. */
  const load = () => draftsOf({ tab: openFakeState('session', parts), auth });
  const stored = () => parts.sessionStorage().getItem('keyturn.drafts');
  return { auth, load, stored, session: parts.sessionStorage() };
}

describe('delivery 9: what is entered and not sent', () => {
  test('is given back once after a reload', () => {
    const tab = openTab();
    const drafts = tab.load();
    drafts.set('other-payment', { amount: '12' });
    drafts.keep();
    expect(tab.stored()).not.toContain('secret');
    const after = tab.load();
    expect(tab.stored()).toBeNull();
    expect(after.take('another', isEntry)).toBeNull();
    expect(after.take('other-payment', isEntry)).toEqual({ amount: '12' });
    expect(after.take('other-payment', isEntry)).toBeNull();
    expect(tab.load().take('other-payment', isEntry)).toBeNull();
  });

  test('counts while its form is open and until the next step, and not once it is sent', () => {
    const drafts = openTab().load();
    drafts.set('form', { amount: '1' });
    drafts.leave('form');
    expect(drafts.any()).toBe(true);
    drafts.forgetLeft();
    expect(drafts.any()).toBe(false);
    drafts.set('form', { amount: '1' });
    drafts.clear('form');
    drafts.leave('form');
    expect(drafts.any()).toBe(false);
  });

  test('counts and is never kept where that was not wanted', () => {
    const tab = openTab();
    const drafts = tab.load();
    drafts.set('signature', undefined);
    expect(drafts.any()).toBe(true);
    drafts.keep();
    expect(tab.stored()).toBeNull();
  });

  test('is never given to another client, and goes with the sign-in', () => {
    const tab = openTab();
    const keep = () => {
      const drafts = tab.load();
      drafts.set('form', { amount: '1' });
      drafts.keep();
    };
    keep();
    tab.auth.setClient(clientFixture({ id: 'tom' }));
    expect(tab.load().take('form', isEntry)).toBeNull();
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
    expect(tab.load().take('form', isEntry)).toBeNull();
  });
});
