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

describe('what was to be paid', () => {
  test.each(['expired', 'idle'] as const)(
    'is gone on with when the same client signs in again after the sign-in has ended (%s)',
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

  test('is nothing for another client, nor after signing out', () => {
    const { auth, caseState } = signedIn(createFakeBrowser().openTab());
    caseState.enterOtherPayment(onAccount);
    auth.clear('expired');
    auth.signIn({ ...token, access_token: 'next' });
    auth.setClient({ ...clientFixture(), id: 'somebody else' });
    expect(caseState.get().otherPayment).toBeNull();
    caseState.enterOtherPayment(onAccount);
    auth.clear('left');
    auth.signIn({ ...token, access_token: 'third' });
    auth.setClient({ ...clientFixture(), id: 'somebody else' });
    expect(caseState.get().otherPayment).toBeNull();
  });
});

describe('the case of the signed-in client', () => {
  test.each(['local', 'session'] as const)('is there at once on the next visit (%s)', (kind) => {
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
  });

  test('leaves only the selected search in a cookie', () => {
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

  test('is stored once the client is known, if it came first', () => {
    const tab = createFakeBrowser().openTab();
    const { auth, caseState } = visit(tab);
    auth.signIn(token);
    caseState.setConveyancingCase(caseFixture());
    expect(visit(tab).caseState.get().conveyancingCase).toBeNull();
    auth.setClient(clientFixture());
    expect(visit(tab).caseState.get().conveyancingCase?.id).toBe('case');
  });

  test('joins the searches that were read before it', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.setCaseSearches([caseSearchFixture()]);
    caseState.setConveyancingCase(caseFixture());
    expect(caseState.get()).toMatchObject({
      conveyancingCase: { id: 'case' },
      caseSearches: [{ id: 'search' }],
    });
  });

  test('read after a visit with cookies leaves the selected search selected', () => {
    const tab = createFakeBrowser().openTab();
    signedIn(tab, 'cookie').caseState.selectCaseSearch('search');
    const { caseState } = visit(tab, 'cookie');
    caseState.setConveyancingCase(caseFixture());
    expect(caseState.get().caseSearchId).toBe('search');
  });

  test('read again without changes wakes nobody', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.setConveyancingCase(caseFixture());
    const listener = vi.fn();
    caseState.subscribe(listener);
    caseState.setConveyancingCase(caseFixture());
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('what is to be paid', () => {
  test.each(['local', 'session', 'cookie'] as const)(
    'is the other payment just entered, after a reload too (%s)',
    (kind) => {
      const tab = createFakeBrowser().openTab();
      const { caseState } = signedIn(tab, kind);
      caseState.enterOtherPayment(onAccount);
      expect(visit(tab, kind).caseState.get().otherPayment).toEqual(onAccount);
    },
  );

  test('is one thing: a selected search or an other payment, whichever came last', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    caseState.selectCaseSearch('search');
    caseState.enterOtherPayment(onAccount);
    expect(caseState.get()).toMatchObject({ caseSearchId: null, otherPayment: { idempotencyKey: 'key' } });
    caseState.selectCaseSearch('search');
    expect(caseState.get()).toMatchObject({ caseSearchId: 'search', otherPayment: null });
  });

  test('is forgotten once it is paid, after a reload too', () => {
    const tab = createFakeBrowser().openTab();
    const { caseState } = signedIn(tab);
    caseState.enterOtherPayment(onAccount);
    caseState.forgetOtherPayment('key');
    expect(caseState.get().otherPayment).toBeNull();
    expect(visit(tab).caseState.get().otherPayment).toBeNull();
  });

  test('forgotten leaves what was chosen since, here and in another tab', () => {
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

  test('goes with the case', () => {
    const { caseState, auth } = signedIn(createFakeBrowser().openTab());
    caseState.setConveyancingCase(caseFixture());
    caseState.enterOtherPayment(onAccount);
    caseState.setConveyancingCase(caseFixture({ id: 'other case' }));
    expect(caseState.get().otherPayment).toBeNull();
    caseState.enterOtherPayment(onAccount);
    auth.clear('left');
    expect(caseState.get().otherPayment).toBeNull();
  });

  test('is not lost when another tab, opened before, stores what it has read', () => {
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

describe('another case', () => {
  test('takes the searches and the selection of the old one away, and counts on', () => {
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

  test('does not begin with the first reading: nothing was shown before', () => {
    const { caseState } = signedIn(createFakeBrowser().openTab());
    const { generation } = caseState.get();
    caseState.setConveyancingCase(caseFixture());
    expect(caseState.get().generation).toBe(generation);
  });
});

describe('signing out', () => {
  test('empties the case, here and in every tab', () => {
    const browser = createFakeBrowser();
    const tab = browser.openTab();
    const here = signedIn(tab);
    here.caseState.setConveyancingCase(caseFixture());
    const there = visit(browser.openTab());
    expect(there.caseState.get().conveyancingCase?.id).toBe('case');
    here.auth.clear('left');
    expect(here.caseState.get().conveyancingCase).toBeNull();
    expect(there.caseState.get().conveyancingCase).toBeNull();
    expect([...browser.local.entries.keys()]).toEqual([]);
  });

  test('leaves nothing to the client who signs in next', () => {
    const tab = createFakeBrowser().openTab();
    const { auth, caseState } = signedIn(tab);
    caseState.setConveyancingCase(caseFixture());
    auth.clear('left');
    auth.signIn({ ...token, access_token: 'of-george' });
    auth.setClient(clientFixture({ id: 'george' }));
    expect(caseState.get().conveyancingCase).toBeNull();
    expect(visit(tab).caseState.get().conveyancingCase).toBeNull();
  });
});

describe('what was kept', () => {
  test('is not shown to another client', () => {
    const tab = createFakeBrowser().openTab();
    signedIn(tab).caseState.setConveyancingCase(caseFixture());
    const persisted = openFakeState('local', tab);
    const auth = createAuthStore(persisted);
    auth.setClient(clientFixture({ id: 'george' }));
    expect(createCaseStore(persisted, auth).get().conveyancingCase).toBeNull();
  });

  test('is dropped when another tab turns to another client', () => {
    const browser = createFakeBrowser();
    const here = signedIn(browser.openTab());
    here.caseState.setConveyancingCase(caseFixture());
    const there = visit(browser.openTab());
    there.auth.signIn({ ...token, access_token: 'of-george' });
    there.auth.setClient(clientFixture({ id: 'george' }));
    expect(here.auth.authorization()).toBe('Bearer of-george');
    expect(here.caseState.get().conveyancingCase).toBeNull();
  });

  test.each([
    ['a case without matters', { conveyancingCase: { ...caseFixture(), matters: null } }],
    ['a search at a made-up status', { caseSearches: [{ ...caseSearchFixture(), status: 'lost' }] }],
    ['a price in words', { caseSearches: [{ ...caseSearchFixture(), price: 'much' }] }],
    ['a selection that is no text', { caseSearchId: 5 }],
    ['an other payment in words', { otherPayment: { ...onAccount, amount: 'much' } }],
    ['an other payment for nothing known', { otherPayment: { ...onAccount, category: 'gifts' } }],
    ['nothing of its own', { conveyancingCase: undefined }],
  ])('counts for nothing with %s', (_, wrong) => {
    const tab = createFakeBrowser().openTab();
    const { persisted } = signedIn(tab);
    const sound = {
      clientId: 'amelia',
      conveyancingCase: caseFixture(),
      caseSearches: [],
      caseSearchId: null,
      otherPayment: null,
    };
    persisted.write('case', sound);
    expect(visit(tab).caseState.get().conveyancingCase?.id).toBe('case');
    persisted.write('case', { ...sound, ...wrong });
    expect(visit(tab).caseState.get()).toMatchObject({
      conveyancingCase: null,
      caseSearches: [],
      caseSearchId: null,
      otherPayment: null,
    });
  });
});
