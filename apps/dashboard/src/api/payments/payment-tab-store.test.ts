import { describe, expect, test, vi } from 'vitest';
import { clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { createAuthStore } from '../session/auth-store.ts';
import { createPaymentTabStore } from './payment-tab-store.ts';

const confirmed = {
  own_card: false,
  payer_name: 'Grace Okafor',
  receipt_email: 'amelia@example.test',
  wording: '2026-11' as const,
};
const attempt = { paymentId: 'payment', revisionBefore: '3', refusal: null };
const token = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 } as const;

function signedIn(client = clientFixture()) {
  const browser = createFakeBrowser();
  const page = browser.openTab();
  const auth = createAuthStore(openFakeState('local', page));
  auth.signIn(token);
  auth.setClient(client);
  const open = (parts = page) => createPaymentTabStore(openFakeState('session', parts), auth);
  return { browser, auth, open };
}

describe('what a tab remembers of its payment', () => {
  test('is there after a reload', () => {
    const { open } = signedIn();
    const visit = open();
    visit.saveConfirmation('search', confirmed);
    visit.setAttempt(attempt);
    expect(open().confirmationFor('search')).toEqual(confirmed);
    expect(open().attempt()).toEqual(attempt);
  });

  test('is of one search and no other, and the last that was said', () => {
    const visit = signedIn().open();
    visit.saveConfirmation('search', { ...confirmed, own_card: true });
    visit.saveConfirmation('search', confirmed);
    expect(visit.confirmationFor('search')).toEqual(confirmed);
    expect(visit.confirmationFor('another')).toBeNull();
  });

  test('is not known to another tab', () => {
    const { browser, open } = signedIn();
    open().setAttempt(attempt);
    expect(open(browser.openTab()).attempt()).toBeNull();
  });

  test('ends with the sign-in, at once', () => {
    const { auth, open } = signedIn();
    const visit = open();
    visit.setAttempt(attempt);
    const told = vi.fn();
    visit.subscribe(told);
    auth.clear('left');
    expect(visit.attempt()).toBeNull();
    expect(told).toHaveBeenCalledOnce();
  });

  test('is never shown to another client', () => {
    const { auth, open } = signedIn();
    open().setAttempt(attempt);
    auth.setClient(clientFixture({ id: 'tom' }));
    expect(open().attempt()).toBeNull();
  });

  test('counts as nothing when somebody has put something else there', () => {
    const { browser, auth } = signedIn();
    const tab = openFakeState('session', browser.openTab());
    tab.write('payment-tab', { clientId: 'amelia', confirmations: [], attempt: { paymentId: 7 } });
    expect(createPaymentTabStore(tab, auth).attempt()).toBeNull();
    tab.write('payment-tab', { clientId: 'amelia', confirmations: [], attempt });
    expect(createPaymentTabStore(tab, auth).attempt()).toEqual(attempt);
  });
});
