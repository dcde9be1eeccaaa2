import { describe, expect, test, vi } from 'vitest';
import { caseFixture, caseSearchFixture, clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { createAuthStore } from '../session/auth-store.ts';
import { createCaseStore, type OtherPayment } from './case-store.ts';

type Tab = ReturnType<ReturnType<typeof createFakeBrowser>['openTab']>;

const onAccount: OtherPayment = {
  category: 'money_on_account',
  amount: 250_00,
  reference: 'Bill 118',
  matterId: null,
  bill: null,
  idempotencyKey: 'key',
  confirmed: {
    own_card: true,
    payer_name: 'Amelia Okafor',
    receipt_email: 'amelia@example.test',
    wording: '2026-11' as const,
  },
  paymentId: 'payment',
};

const token = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 } as const;

function visit(tab: Tab, kind: 'local' | 'session' | 'cookie' = 'local') {
  const persisted = openFakeState(kind, tab);
  const auth = createAuthStore(persisted);
  return { persisted, auth, caseState: createCaseStore(persisted, auth) };
}

function signedIn(tab: Tab, kind: 'local' | 'session' | 'cookie' = 'local', client = clientFixture()) {
  const made = visit(tab, kind);
  made.auth.signIn(token);
  made.auth.setClient(client);
  return made;
}

describe('an interrupted selection', () => {
  test.each(['expired', 'idle'] as const)(
    'an interrupted selection is restored when the same client signs in again after the sign-in ended (%s)',
    (ending) => {
      const tab = createFakeBrowser().openTab();
      const { auth, caseState } = signedIn(tab);
      caseState.setConveyancingCase(caseFixture());
      caseState.selectCaseSearch('search');
      auth.clear(ending);
      expect(caseState.get().caseSearchId).toBeNull();
      expect(visit(tab).persisted.read('case')).toBeUndefined();
      auth.signIn({ ...token, access_token: 'next' });
      expect(caseState.get().caseSearchId).toBeNull();
      auth.setClient(clientFixture());
      caseState.setConveyancingCase(caseFixture());
      expect(caseState.get().caseSearchId).toBe('search');
    },
  );

  test('an interrupted selection is not restored for another client, or after signing out', () => {
    const { auth, caseState } = signedIn(createFakeBrowser().openTab());
    caseState.enterOtherPayment(onAccount);
    auth.clear('expired');
    auth.signIn({ ...token, access_token: 'next' });
    auth.setClient({ ...clientFixture(), id: 'another client' });
    expect(caseState.get().otherPayment).toBeNull();
    caseState.enterOtherPayment(onAccount);
    auth.clear('signed_out');
    auth.signIn({ ...token, access_token: 'third' });
    auth.setClient({ ...clientFixture(), id: 'another client' });
    expect(caseState.get().otherPayment).toBeNull();
  });
});

describe('the case of the signed-in client', () => {
  test.each(['local', 'session'] as const)(
    'the case is available immediately on the next visit (%s)',
    (kind) => {
      const tab = createFakeBrowser().openTab();
      const { caseState } = signedIn(tab, kind);
      caseState.setConveyancingCase(caseFixture());
      caseState.setCaseSearches([caseSearchFixture()]);
      caseState.selectCaseSearch('search');
      expect(visit(tab, kind).caseState.get()).toMatchObject({
        conveyancingCase: { id: 'case' },
        caseSearches: [{ id: 'search' }],
        caseSearchId: 'search',
      });
    },
  );

  test('a cookie stores only the selected search', () => {
    const tab = createFakeBrowser().openTab();
    const { caseState } = signedIn(tab, 'cookie');
    caseState.setConveyancingCase(caseFixture());
    caseState.setCaseSearches([caseSearchFixture()]);
    caseState.selectCaseSearch('search');
    expect(visit(tab, 'cookie').caseState.get()).toMatchObject({
      conveyancingCase: null,
      caseSearches: [],
      caseSearchId: 'search',
    });
  });

  test('a case that arrives before its client is stored once the client is known', () => {
    const tab = createFakeBrowser().openTab();
    const { auth, caseState } = visit(tab);
    auth.signIn(token);
    caseState.setConveyancingCase(caseFixture());
    expect(visit(tab).caseState.get().conveyancingCase).toBeNull();
    auth.setClient(clientFixture());
    expect(visit(tab).caseState.get().conveyancingCase?.id).toBe('case');
  });

  test('a case keeps the searches that were fetched before it', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.setCaseSearches([caseSearchFixture()]);
    caseState.setConveyancingCase(caseFixture());
    expect(caseState.get()).toMatchObject({
      conveyancingCase: { id: 'case' },
      caseSearches: [{ id: 'search' }],
    });
  });

  test('fetching the case keeps the search that was selected in a cookie', () => {
    const tab = createFakeBrowser().openTab();
    signedIn(tab, 'cookie').caseState.selectCaseSearch('search');
    const { caseState } = visit(tab, 'cookie');
    caseState.setConveyancingCase(caseFixture());
    expect(caseState.get().caseSearchId).toBe('search');
  });

  test('fetching the case without changes does not notify subscribers', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.setConveyancingCase(caseFixture());
    const listener = vi.fn();
    caseState.subscribe(listener);
    caseState.setConveyancingCase(caseFixture());
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('the selected payment', () => {
  test.each(['local', 'session', 'cookie'] as const)(
    'a payment for something else survives a reload (%s)',
    (kind) => {
      const tab = createFakeBrowser().openTab();
      const { caseState } = signedIn(tab, kind);
      caseState.enterOtherPayment(onAccount);
      expect(visit(tab, kind).caseState.get().otherPayment).toEqual(onAccount);
    },
  );

  test('a selected search and a payment for something else replace each other', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.selectCaseSearch('search');
    caseState.enterOtherPayment(onAccount);
    expect(caseState.get()).toMatchObject({ caseSearchId: null, otherPayment: { idempotencyKey: 'key' } });
    caseState.selectCaseSearch('search');
    expect(caseState.get()).toMatchObject({ caseSearchId: 'search', otherPayment: null });
  });

  test('a paid other payment is removed, even after a reload', () => {
    const tab = createFakeBrowser().openTab();
    const { caseState } = signedIn(tab);
    caseState.enterOtherPayment(onAccount);
    caseState.forgetOtherPayment('key');
    expect(caseState.get().otherPayment).toBeNull();
    expect(visit(tab).caseState.get().otherPayment).toBeNull();
  });

  test('removing a payment for something else keeps a later one, in this tab and another', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const here = signedIn(tab);
    here.caseState.enterOtherPayment(onAccount);
    const there = visit(browser.openTab());
    here.caseState.enterOtherPayment({ ...onAccount, idempotencyKey: 'newer' });
    there.caseState.forgetOtherPayment('key');
    here.caseState.forgetOtherPayment('key');
    expect(there.caseState.get().otherPayment).toBeNull();
    expect(here.caseState.get().otherPayment?.idempotencyKey).toBe('newer');
    expect(visit(tab).caseState.get().otherPayment?.idempotencyKey).toBe('newer');
  });

  test('the selected payment is removed with the case', () => {
    const { caseState, auth } = signedIn(createFakeBrowser().openTab());
    caseState.setConveyancingCase(caseFixture());
    caseState.enterOtherPayment(onAccount);
    caseState.setConveyancingCase(caseFixture({ id: 'other case' }));
    expect(caseState.get().otherPayment).toBeNull();
    caseState.enterOtherPayment(onAccount);
    auth.clear('signed_out');
    expect(caseState.get().otherPayment).toBeNull();
  });

  test('a payment for something else is kept when an older tab stores what it fetched', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const here = signedIn(tab);
    here.caseState.setConveyancingCase(caseFixture());
    const there = visit(browser.openTab());
    here.caseState.enterOtherPayment(onAccount);
    there.caseState.setConveyancingCase(caseFixture({ amount_due: 1 }));
    expect(visit(tab).caseState.get()).toMatchObject({
      conveyancingCase: { amount_due: 1 },
      otherPayment: onAccount,
    });
    there.caseState.setConveyancingCase(caseFixture({ id: 'other case' }));
    expect(visit(tab).caseState.get().otherPayment).toBeNull();
  });
});

describe('a switch to another case', () => {
  test('another case removes the searches and the selection, and starts a new generation', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.setConveyancingCase(caseFixture());
    caseState.setCaseSearches([caseSearchFixture()]);
    caseState.selectCaseSearch('search');
    const { generation } = caseState.get();
    caseState.setConveyancingCase(caseFixture({ id: 'other case' }));
    expect(caseState.get()).toMatchObject({
      caseSearches: [],
      caseSearchId: null,
      generation: generation + 1,
    });
  });

  test('the first case does not start a new generation', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    const { generation } = caseState.get();
    caseState.setConveyancingCase(caseFixture());
    expect(caseState.get().generation).toBe(generation);
  });
});

describe('signing out', () => {
  test('signing out removes the case in every tab', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const here = signedIn(tab);
    here.caseState.setConveyancingCase(caseFixture());
    const there = visit(browser.openTab());
    expect(there.caseState.get().conveyancingCase?.id).toBe('case');
    here.auth.clear('signed_out');
    expect(here.caseState.get().conveyancingCase).toBeNull();
    expect(there.caseState.get().conveyancingCase).toBeNull();
    expect([...browser.local.entries.keys()]).toEqual([]);
  });

  test('signing out leaves nothing for the next client', () => {
    const tab = createFakeBrowser().openTab();
    const { auth, caseState } = signedIn(tab);
    caseState.setConveyancingCase(caseFixture());
    auth.clear('signed_out');
    auth.signIn({ ...token, access_token: 'of-george' });
    auth.setClient(clientFixture({ id: 'george' }));
    expect(caseState.get().conveyancingCase).toBeNull();
    expect(visit(tab).caseState.get().conveyancingCase).toBeNull();
  });
});

describe('a stored case', () => {
  test('fault 53: a stored case is not shown to another client', () => {
    const tab = createFakeBrowser().openTab();
    signedIn(tab).caseState.setConveyancingCase(caseFixture());
    const persisted = openFakeState('local', tab);
    const auth = createAuthStore(persisted);
    auth.setClient(clientFixture({ id: 'george' }));
    expect(createCaseStore(persisted, auth).get().conveyancingCase).toBeNull();
  });

  test('fault 53: the case is removed when another client signs in in another tab', () => {
    const browser = createFakeBrowser();
    const here = signedIn(browser.openTab());
    here.caseState.setConveyancingCase(caseFixture());
    const there = visit(browser.openTab());
    there.auth.signIn({ ...token, access_token: 'of-george' });
    there.auth.setClient(clientFixture({ id: 'george' }));
    expect(here.auth.credential()).toBe('Bearer of-george');
    expect(here.caseState.get().conveyancingCase).toBeNull();
  });

  test.each([
    ['a case without matters', { conveyancingCase: { ...caseFixture(), matters: null } }],
    ['a search with an unknown status', { caseSearches: [{ ...caseSearchFixture(), status: 'lost' }] }],
    ['a price that is a string', { caseSearches: [{ ...caseSearchFixture(), price: 'much' }] }],
    ['a selection that is not a string', { caseSearchId: 5 }],
    ['an amount that is a string', { otherPayment: { ...onAccount, amount: 'much' } }],
    ['an unknown category', { otherPayment: { ...onAccount, category: 'gifts' } }],
    ['a missing case', { conveyancingCase: undefined }],
  ])('a stored case is ignored with %s', (_, wrong) => {
    const tab = createFakeBrowser().openTab();
    const { persisted } = signedIn(tab);
    const valid = {
      clientId: 'amelia',
      conveyancingCase: caseFixture(),
      caseSearches: [],
      caseSearchId: null,
      otherPayment: null,
    };
    persisted.write('case', valid);
    expect(visit(tab).caseState.get().conveyancingCase?.id).toBe('case');
    persisted.write('case', { ...valid, ...wrong });
    expect(visit(tab).caseState.get()).toMatchObject({
      conveyancingCase: null,
      caseSearches: [],
      caseSearchId: null,
      otherPayment: null,
    });
  });
});
