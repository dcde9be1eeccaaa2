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
const attempt = { paymentId: 'payment', revisionBefore: '3', decline: null };
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

describe('payment tab store', () => {
  test('the payment tab store keeps confirmations and the attempt across a reload', () => {
    const { open } = signedIn();
    const store = open();
    store.saveConfirmation('search', confirmed, 276_00);
    store.setAttempt(attempt);
    expect(open().confirmationFor('search')).toEqual(confirmed);
    expect(open().attempt()).toEqual(attempt);
  });

  test('the payment tab store keeps the last confirmation of each search', () => {
    const store = signedIn().open();
    store.saveConfirmation('search', { ...confirmed, own_card: true }, 200_00);
    store.saveConfirmation('search', confirmed, 276_00);
    expect(store.confirmationFor('search')).toEqual(confirmed);
    expect(store.agreedPrice('search')).toBe(276_00);
    expect(store.confirmationFor('another')).toBeNull();
    expect(store.agreedPrice('another')).toBeNull();
  });

  test('the payment tab store does not share the attempt with another tab', () => {
    const { browser, open } = signedIn();
    open().setAttempt(attempt);
    expect(open(browser.openTab()).attempt()).toBeNull();
  });

  test('the payment tab store forgets the attempt and notifies subscribers on sign-out', () => {
    const { auth, open } = signedIn();
    const store = open();
    store.setAttempt(attempt);
    const listener = vi.fn();
    store.subscribe(listener);
    auth.clear('signed_out');
    expect(store.attempt()).toBeNull();
    expect(listener).toHaveBeenCalledOnce();
  });

  test('the payment tab store hides the attempt from another client', () => {
    const { auth, open } = signedIn();
    open().setAttempt(attempt);
    auth.setClient(clientFixture({ id: 'tom' }));
    expect(open().attempt()).toBeNull();
  });

  test('fault 51: the payment tab store ignores stored payment data with an unexpected shape', () => {
    const { browser, auth } = signedIn();
    const tab = openFakeState('session', browser.openTab());
    tab.write('payment-tab', { clientId: 'amelia', confirmations: [], attempt: { paymentId: 7 } });
    expect(createPaymentTabStore(tab, auth).attempt()).toBeNull();
    tab.write('payment-tab', { clientId: 'amelia', confirmations: [], attempt });
    expect(createPaymentTabStore(tab, auth).attempt()).toEqual(attempt);
  });
});
