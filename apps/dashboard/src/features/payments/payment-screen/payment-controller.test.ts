import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import type { PaymentStatus } from '@keyturn/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paymentFixture } from '../../../../fixtures/entities.ts';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import type { PaymentAttempt, PaymentTabStore } from '../../../api/payments/payment-tab-store.ts';
import type { ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';
import { createPaymentInProgress } from '../../../api/session/payment-in-progress.ts';
import { newAttempt } from './payment-attempt.ts';
import {
  type BrowserProvider,
  confirmationFailureOf,
  createPaymentController,
} from './payment-controller.ts';
import { declineOf, type PaymentSnapshot, stepOf } from './payment-machine.ts';

const failure = (code: ApiError['code'], status = 409) => new ApiError({ status, code, message: code });

const free: ProviderIntentState = { status: 'requires_payment_method', revision: '1', decline: null };

const snapshot = (status: PaymentStatus): PaymentSnapshot => ({
  payable: true,
  status,
  amount: 276_00,
  caseSearch: undefined,
  payment: paymentFixture({ id: 'payment', status }),
  intent: {
    payment_id: 'payment',
    method: 'card',
    provider: 'sandbox',
    publishable_key: '',
    client_secret: 'secret',
    amount: 276_00,
    currency: 'gbp',
    status: 'requires_payment_method',
    statement_descriptor: null,
  },
  payer: 'me',
  isBeingChecked: false,
  isUnderReview: false,
  error: null,
});

function createTabStore(initial: PaymentAttempt | null = null): PaymentTabStore {
  let attempt = initial;
  const listeners = new Set<() => void>();
  return {
    confirmationFor: () => null,
    agreedPrice: () => null,
    saveConfirmation: () => undefined,
    attempt: () => attempt,
    setAttempt: (next) => {
      attempt = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A controller at the card form, with everything around it faked. */
function setUp({
  attempt = null,
  provider = {},
}: {
  attempt?: PaymentAttempt | null;
  provider?: Partial<BrowserProvider>;
} = {}) {
  const tabStore = createTabStore(attempt);
  const events = new EventTarget();
  const paymentInProgress = createPaymentInProgress();
  const server = {
    confirm: vi.fn(async (_paymentId: string): Promise<void> => {}),
    refresh: vi.fn(async (_paymentId: string): Promise<PaymentStatus> => 'processing'),
    refetch: vi.fn(async (_paymentId: string | undefined): Promise<void> => {}),
    refreshCase: vi.fn(async (): Promise<void> => {}),
    setOptimisticStatus: vi.fn(),
  };
  const read = vi.fn(async (_intent: PayableIntent) => free);
  const controller = createPaymentController({
    server,
    provider: { read, needsRefresh: false, ...provider },
    tabStore,
    paymentInProgress,
    events,
  });
  controller.setSnapshot(snapshot('requires_payment_method'));
  return { controller, disconnect: controller.connect(), server, read, tabStore, events, paymentInProgress };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('pressing Pay', () => {
  test('pressing Pay confirms with the server and reads the intent before the card is sent', async () => {
    const { controller, server, read, tabStore } = setUp();
    const sendCard = vi.fn(async () => {
      expect(server.confirm).toHaveBeenCalledWith('payment');
      expect(read).toHaveBeenCalledWith(expect.objectContaining({ client_secret: 'secret' }));
      expect(tabStore.attempt()).toEqual(newAttempt('payment', '1'));
      return { status: 'succeeded', revision: '2', decline: null } as const;
    });
    await controller.pay(sendCard);
    expect(sendCard).toHaveBeenCalledExactlyOnceWith('secret');
    expect(server.setOptimisticStatus).toHaveBeenCalledWith('succeeded', 'requires_payment_method');
    expect(server.refetch).toHaveBeenCalledWith('payment');
    expect(stepOf(controller.state())).toBe('checking');
  });

  test('pressing Pay several times sends one card', async () => {
    const { controller, server } = setUp();
    const sendCard = vi.fn(async () => free);
    await Promise.all([controller.pay(sendCard), controller.pay(sendCard), controller.pay(sendCard)]);
    expect(server.confirm).toHaveBeenCalledOnce();
    expect(sendCard).toHaveBeenCalledOnce();
  });

  test.each(['already_paid', 'price_changed', 'not_payable', 'payment_under_review'] as const)(
    'pressing Pay sends no card when the server answers %s, and shows the payment instead',
    async (code) => {
      const { controller, server } = setUp();
      server.confirm.mockRejectedValue(failure(code));
      const sendCard = vi.fn(async () => free);
      await controller.pay(sendCard);
      expect(sendCard).not.toHaveBeenCalled();
      expect(server.refetch).toHaveBeenCalled();
      expect(declineOf(controller.state())).toBeNull();
    },
  );

  test('pressing Pay stores a decline for this tab', async () => {
    const { controller, tabStore } = setUp();
    await controller.pay(async () => ({ ...free, revision: '2', decline: 'card_declined' }));
    expect(tabStore.attempt()?.decline).toBe('card_declined');
    expect(declineOf(controller.state())).toBe('card_declined');
  });

  test('pressing Pay keeps the page open until the outcome is known, even after the client has left the screen', async () => {
    const { controller, disconnect, paymentInProgress, tabStore } = setUp();
    let answer: (intent: ProviderIntentState) => void = () => undefined;
    const paid = controller.pay(() => new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(0);
    disconnect();
    expect(paymentInProgress.get()).toBe(true);
    answer({ ...free, revision: '2', decline: 'expired_card' });
    await paid;
    expect(paymentInProgress.get()).toBe(false);
    expect(tabStore.attempt()?.decline).toBe('expired_card');
  });
});

describe('a lost answer', () => {
  test('fault 66: a lost answer is requested again with growing delays until the provider responds', async () => {
    const { controller, read, server } = setUp();
    server.refresh.mockRejectedValue(failure('payment_being_checked'));
    const paid = controller.pay(async () => {
      read.mockRejectedValue(failure('unreachable', 503));
      throw failure('timed_out', 503);
    });
    await vi.advanceTimersByTimeAsync(1_600);
    expect(stepOf(controller.state())).toBe('checking');
    expect(read.mock.calls.length).toBeGreaterThanOrEqual(3);
    read.mockResolvedValue({ status: 'succeeded', revision: '2', decline: null });
    await vi.advanceTimersByTimeAsync(10_000);
    await paid;
    expect(controller.state().awaitedStatus).toBe('succeeded');
  });

  test('a lost answer is read from the server when the provider cannot be reached', async () => {
    const { controller, read, server } = setUp();
    server.refresh.mockResolvedValue('processing');
    await controller.pay(async () => {
      read.mockRejectedValue(failure('unreachable', 503));
      throw new Error('the connection was lost');
    });
    expect(server.refresh).toHaveBeenCalledWith('payment');
    expect(controller.state().awaitedStatus).toBe('processing');
  });

  test('a lost answer is no longer requested once the sign-in has ended', async () => {
    const { controller, read, server } = setUp();
    server.refresh.mockRejectedValue(failure('unauthenticated', 401));
    await controller.pay(async () => {
      read.mockRejectedValue(failure('unreachable', 503));
      throw failure('unreachable', 503);
    });
    expect(controller.state()).toMatchObject({ phase: 'idle', awaitedStatus: null });
  });
});

describe('pressing Pay without a working connection', () => {
  test.each([
    ['offline', failure('unreachable', 503)],
    ['behind a captive portal that answers with its own page', failure('unreadable', 503)],
  ])(
    'fault 66: pressing Pay %s sends no card, says so, and Pay can be pressed again',
    async (_where, error) => {
      const { controller, server, read, tabStore, paymentInProgress } = setUp();
      server.confirm.mockRejectedValueOnce(error);
      read.mockRejectedValueOnce(error);
      const sendCard = vi.fn(async () => ({ status: 'succeeded', revision: '2', decline: null }) as const);
      await controller.pay(sendCard);
      expect(sendCard).not.toHaveBeenCalled();
      expect(declineOf(controller.state())).toBe('no_response');
      expect(stepOf(controller.state())).toBe('card');
      expect(tabStore.attempt()).toEqual(expect.objectContaining({ decline: 'no_response' }));
      await controller.pay(sendCard);
      expect(sendCard).toHaveBeenCalledOnce();
      expect(controller.state().awaitedStatus).toBe('succeeded');
      expect(paymentInProgress.get()).toBe(true);
    },
  );

  test('fault 66: the payment is being checked while a captive portal answers for the server, and the server’s answer decides', async () => {
    const { controller, read, server } = setUp();
    server.refresh.mockRejectedValue(failure('unreadable', 503));
    const paid = controller.pay(async () => {
      read.mockRejectedValue(failure('unreachable', 503));
      throw failure('unreachable', 503);
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(stepOf(controller.state())).toBe('checking');
    server.refresh.mockResolvedValue('succeeded');
    await vi.advanceTimersByTimeAsync(10_000);
    await paid;
    expect(controller.state().awaitedStatus).toBe('succeeded');
  });
});

describe('an interrupted attempt', () => {
  test('an interrupted attempt is resumed once when the screen opens again', async () => {
    const { controller, read } = setUp({ attempt: newAttempt('payment', '0') });
    await vi.advanceTimersByTimeAsync(0);
    expect(read).toHaveBeenCalledOnce();
    expect(declineOf(controller.state())).toBe('no_response');
  });
});

describe('changing the card at the bank check', () => {
  test('changing the card refuses the bank check where the provider needs it, without showing a decline', async () => {
    const refuseCheck = vi.fn(async () => ({
      ...free,
      revision: '2',
      decline: 'authentication_failed' as const,
    }));
    const { controller, tabStore } = setUp({
      attempt: newAttempt('payment', '1'),
      provider: { refuseCheck, read: async () => ({ ...free, status: 'requires_action' }) },
    });
    await vi.advanceTimersByTimeAsync(0);
    controller.setSnapshot(snapshot('requires_action'));
    await controller.changeCard();
    expect(refuseCheck).toHaveBeenCalledWith('secret');
    expect(tabStore.attempt()).toBeNull();
  });

  test('changing the card asks the provider nothing where another card may simply replace it', async () => {
    const { controller, read } = setUp();
    controller.setSnapshot(snapshot('requires_action'));
    controller.continueHere();
    await vi.advanceTimersByTimeAsync(0);
    read.mockClear();
    await controller.changeCard();
    expect(stepOf(controller.state())).toBe('card');
    expect(read).not.toHaveBeenCalled();
  });
});

describe('while the screen is open', () => {
  test('while the provider is ahead, makes the server sync the payment every five seconds until it has caught up', async () => {
    const { controller, server } = setUp({ provider: { needsRefresh: true } });
    await controller.pay(async () => ({ status: 'succeeded', revision: '2', decline: null }));
    await vi.advanceTimersByTimeAsync(10_500);
    expect(server.refresh).toHaveBeenCalledTimes(2);
    controller.setSnapshot(snapshot('succeeded'));
    await vi.advanceTimersByTimeAsync(10_500);
    expect(server.refresh).toHaveBeenCalledTimes(2);
  });

  test('every change of status refreshes the case', () => {
    const { controller, server } = setUp();
    controller.setSnapshot(snapshot('requires_payment_method'));
    expect(server.refreshCase).not.toHaveBeenCalled();
    controller.setSnapshot(snapshot('processing'));
    controller.setSnapshot(snapshot('succeeded'));
    expect(server.refreshCase).toHaveBeenCalledTimes(2);
  });

  test('a payment page restored from the back/forward cache is read again before Pay can be pressed', async () => {
    const { controller, events, server } = setUp();
    let finish: () => void = () => undefined;
    server.refetch.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
    events.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    const sendCard = vi.fn(async () => free);
    await controller.pay(sendCard);
    expect(sendCard).not.toHaveBeenCalled();
    finish();
    await vi.advanceTimersByTimeAsync(0);
    await controller.pay(sendCard);
    expect(sendCard).toHaveBeenCalledOnce();
  });

  test('a sign-out in another tab removes the attempt', () => {
    const { controller, tabStore } = setUp({ attempt: newAttempt('payment', '1') });
    tabStore.setAttempt(null);
    expect(controller.state().attempt).toBeNull();
  });

  test('the payment page is kept open, and no longer once the screen is left', () => {
    const { disconnect, paymentInProgress } = setUp();
    expect(paymentInProgress.get()).toBe(true);
    disconnect();
    expect(paymentInProgress.get()).toBe(false);
  });
});

test.each([
  [failure('too_many_payment_attempts', 429), 'refused'],
  [failure('payments_paused', 503), 'refused'],
  [failure('already_paid'), 'moved_on'],
  [failure('payment_settled'), 'moved_on'],
  [failure('not_payable'), 'moved_on'],
  [failure('payment_cancelled'), 'moved_on'],
  [failure('price_changed'), 'moved_on'],
  [failure('payment_being_checked'), 'moved_on'],
  [failure('payment_under_review'), 'moved_on'],
  [failure('unauthenticated', 401), 'signed_out'],
  [failure('unreachable', 503), 'no_response'],
  [failure('provider_unavailable', 503), 'no_response'],
  [new Error('unexpected'), 'no_response'],
])('a confirmation that fails with "%s" counts as %s', (error, kind) => {
  expect(confirmationFailureOf(error).kind).toBe(kind);
});
