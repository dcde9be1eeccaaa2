import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import type { PaymentStatus } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { paymentFixture } from '../../../../fixtures/entities.ts';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import type { ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';
import { newAttempt } from './payment-attempt.ts';
import {
  declineOf,
  failureOf,
  inEveryPhase,
  isAheadOfServer,
  isBusy,
  isInProgress,
  isUnresolved,
  openedWith,
  type PaymentEvent,
  type PaymentPhase,
  type PaymentScreenState,
  type PaymentSnapshot,
  paymentIdOf,
  stepOf,
  transition,
  transitions,
} from './payment-machine.ts';

const payment = (status: PaymentStatus) => paymentFixture({ id: 'payment', status });

const intent: PayableIntent = {
  payment_id: 'payment',
  method: 'card',
  provider: 'sandbox',
  publishable_key: '',
  client_secret: 'pi_secret',
  amount: 276_00,
  currency: 'gbp',
  status: 'requires_payment_method',
  statement_descriptor: null,
};

const snapshot = (status: PaymentStatus, change: Partial<PaymentSnapshot> = {}): PaymentSnapshot => ({
  ...openedWith(null).server,
  payable: true,
  status,
  amount: 276_00,
  payment: payment(status),
  intent,
  payer: 'me',
  ...change,
});

const atProvider = (
  status: PaymentStatus,
  revision = '2',
  decline: ProviderIntentState['decline'] = null,
): ProviderIntentState => ({ status, revision, decline });

const serverSays = (status: PaymentStatus, change: Partial<PaymentSnapshot> = {}): PaymentEvent => ({
  type: 'server_changed',
  server: snapshot(status, change),
});

const after = (state: PaymentScreenState, ...events: PaymentEvent[]): PaymentScreenState =>
  events.reduce(transition, state);

/** At the card form, before anything was pressed. */
const cardForm = after(openedWith(null), serverSays('requires_payment_method'));
const throttled = new ApiError({ status: 429, code: 'too_many_payment_attempts', message: 'Wait.' });

const pressPay: PaymentEvent = { type: 'pay_pressed' };
const checked: PaymentEvent = { type: 'intent_checked', intent: atProvider('requires_payment_method', '1') };
const submitting = after(cardForm, pressPay, checked);
const answered = (...args: Parameters<typeof atProvider>): PaymentEvent => ({
  type: 'provider_answered',
  intent: atProvider(...args),
});
const refetched: PaymentEvent = { type: 'refetched' };
/** At the bank's check of a card that was given in this tab. */
const bankCheck = after(submitting, answered('requires_action'), serverSays('requires_action'), refetched);

/** One state for each phase, reached by events. */
const inPhase: Record<PaymentPhase, PaymentScreenState> = {
  idle: cardForm,
  rereading: after(cardForm, { type: 'page_restored' }),
  confirming: after(cardForm, pressPay),
  submitting,
  authenticating: after(bankCheck, { type: 'bank_check_answered', isWithdrawal: false }),
  resuming: after(openedWith(newAttempt('payment', '1')), serverSays('requires_payment_method'), {
    type: 'attempt_resumed',
  }),
  recovering: after(submitting, { type: 'answer_lost' }),
  settling: after(submitting, answered('processing')),
};

const everyEvent: PaymentEvent[] = [
  serverSays('cancelled'),
  { type: 'attempt_changed', attempt: newAttempt('other payment', '9') },
  { type: 'page_restored' },
  pressPay,
  checked,
  { type: 'confirmation_failed', failure: { kind: 'moved_on' } },
  { type: 'bank_check_answered', isWithdrawal: false },
  { type: 'attempt_resumed' },
  answered('processing'),
  { type: 'answer_lost' },
  { type: 'nothing_sent' },
  { type: 'request_rejected' },
  { type: 'signed_out' },
  refetched,
  { type: 'card_change_requested' },
  { type: 'continued_here' },
  { type: 'decline_dismissed' },
  { type: 'retried' },
];

describe('payment machine', () => {
  test.each(Object.entries(inPhase))('the payment machine can reach the phase %s', (phase, state) => {
    expect(state.phase).toBe(phase);
  });

  test.each(Object.keys(transitions) as PaymentPhase[])(
    'the payment machine ignores events without a row in the phase %s',
    (phase) => {
      for (const event of everyEvent) {
        if (transitions[phase][event.type] || inEveryPhase[event.type]) continue;
        expect(transition(inPhase[phase], event), event.type).toBe(inPhase[phase]);
      }
    },
  );

  test('the payment machine accepts a press in the phase idle only', () => {
    for (const [phase, state] of Object.entries(inPhase)) {
      expect(transition(state, pressPay).phase === 'confirming').toBe(
        phase === 'idle' || phase === 'confirming',
      );
      expect(isBusy(state)).toBe(phase !== 'idle');
    }
  });

  test('these tests know every event of the transition table', () => {
    const known = new Set(everyEvent.map(({ type }) => type));
    for (const row of [...Object.values(transitions), inEveryPhase]) {
      for (const type of Object.keys(row)) expect(known).toContain(type);
    }
  });
});

describe('paying by card', () => {
  test('a payment that is paid immediately shows the receipt after the server has received it', () => {
    const answeredFirst = after(submitting, answered('succeeded'));
    expect(stepOf(answeredFirst)).toBe('checking');
    expect(isAheadOfServer(answeredFirst)).toBe(true);
    const paid = after(answeredFirst, serverSays('succeeded'), refetched);
    expect(stepOf(paid)).toBe('paid');
    expect(paid.awaitedStatus).toBeNull();
    expect(isBusy(paid)).toBe(false);
  });

  test('a payment that the server receives before the provider answers shows the receipt immediately', () => {
    expect(stepOf(after(submitting, serverSays('succeeded')))).toBe('paid');
    const paid = after(submitting, serverSays('succeeded'), answered('succeeded'), refetched);
    expect(stepOf(paid)).toBe('paid');
    expect(paid.awaitedStatus).toBeNull();
  });

  test('the card form stays on the page while the provider has the card', () => {
    expect(stepOf(after(submitting, serverSays('requires_action')))).toBe('card');
    expect(stepOf(after(submitting, serverSays('processing')))).toBe('card');
  });

  test('a press without an intent has no effect', () => {
    const withoutIntent = after(
      openedWith(null),
      serverSays('requires_payment_method', { intent: undefined }),
    );
    expect(transition(withoutIntent, pressPay)).toBe(withoutIntent);
  });

  test('a new attempt removes the decline of the one before', () => {
    const refused = after(submitting, answered('requires_payment_method', '2', 'card_declined'), refetched);
    expect(declineOf(refused)).toBe('card_declined');
    expect(declineOf(after(refused, pressPay))).toBeNull();
    expect(after(refused, pressPay).attempt).toBeNull();
  });

  test('a decline is hidden while an action is in progress', () => {
    const refused = after(submitting, answered('requires_payment_method', '2', 'card_declined'));
    expect(declineOf(refused)).toBeNull();
    expect(declineOf(after(refused, refetched))).toBe('card_declined');
  });

  test('a decline is dismissed when the client starts to correct the card', () => {
    const refused = after(submitting, answered('requires_payment_method', '2', 'incorrect_cvc'), refetched);
    expect(declineOf(after(refused, { type: 'decline_dismissed' }))).toBeNull();
  });

  test('an attempt that never reached the bank does not adopt the decline of the previous one', () => {
    const state = after(submitting, answered('requires_payment_method', '1', 'card_declined'), refetched);
    expect(declineOf(state)).toBe('no_response');
  });

  test('a request that the provider rejects has no response from a bank', () => {
    const state = after(submitting, { type: 'request_rejected' }, refetched);
    expect(declineOf(state)).toBe('no_response');
    expect(state.awaitedStatus).toBeNull();
  });

  test('incomplete card details leave no attempt behind', () => {
    const state = after(submitting, { type: 'nothing_sent' }, refetched);
    expect(state.attempt).toBeNull();
    expect(declineOf(state)).toBeNull();
    expect(stepOf(state)).toBe('card');
  });
});

describe('the check before a card is sent', () => {
  test.each(['requires_action', 'processing', 'succeeded', 'cancelled'] as const)(
    'sends no card into an intent that is %s because of another tab or the joint client',
    (status) => {
      const state = after(cardForm, pressPay, { type: 'intent_checked', intent: atProvider(status) });
      expect(state.phase).toBe('settling');
      expect(state.attempt).toBeNull();
    },
  );

  test('a payment that changed before its card was sent, for example its price, is shown without an error', () => {
    const state = after(
      cardForm,
      pressPay,
      { type: 'confirmation_failed', failure: { kind: 'moved_on' } },
      serverSays('cancelled'),
      refetched,
    );
    expect(stepOf(state)).toBe('confirm');
    expect(failureOf(state)).toBeNull();
    expect(state.attempt).toBeNull();
  });

  test('a payment that accepts no more attempts says why until the client tries again', () => {
    const state = after(
      cardForm,
      pressPay,
      { type: 'confirmation_failed', failure: { kind: 'refused', error: throttled } },
      refetched,
    );
    expect(failureOf(state)).toBe(throttled);
    expect(failureOf(after(state, { type: 'retried' }))).toBeNull();
  });

  test('a card whose check got no response counts as an attempt that reached no bank', () => {
    const failure = { kind: 'no_response' } as const;
    const state = after(cardForm, pressPay, { type: 'confirmation_failed', failure }, refetched);
    expect(declineOf(state)).toBe('no_response');
    expect(state.awaitedStatus).toBeNull();
  });

  test('a card whose check found that the client was signed out leaves no attempt behind', () => {
    const failure = { kind: 'signed_out' } as const;
    expect(after(cardForm, pressPay, { type: 'confirmation_failed', failure }).attempt).toBeNull();
  });
});

describe('a lost answer', () => {
  const lost = after(submitting, { type: 'answer_lost' });

  test('a lost answer leaves nothing to press until the outcome is known', () => {
    expect(stepOf(lost)).toBe('checking');
    expect(isBusy(lost)).toBe(true);
    expect(isAheadOfServer(lost)).toBe(false);
  });

  test('a recovered success shows the receipt', () => {
    expect(stepOf(after(lost, answered('succeeded'), serverSays('succeeded'), refetched))).toBe('paid');
  });

  test('the recovered outcome of an attempt that reached no bank returns to the card form', () => {
    const state = after(lost, answered('requires_payment_method', '1'), refetched);
    expect(stepOf(state)).toBe('card');
    expect(declineOf(state)).toBe('no_response');
  });

  test('recovering an outcome ends with the sign-in, and the attempt stays open', () => {
    const state = after(lost, { type: 'signed_out' }, refetched);
    expect(state.awaitedStatus).toBeNull();
    expect(state.attempt?.decline).toBeNull();
  });
});

describe("the bank's check", () => {
  test('the bank’s check is shown in the tab in which the card was entered', () => {
    expect(stepOf(bankCheck)).toBe('bank');
  });

  test('the bank’s check is not shown to another tab or to the joint client', () => {
    expect(stepOf(after(openedWith(null), serverSays('requires_action')))).toBe('elsewhere');
    expect(stepOf(after(openedWith(null), serverSays('processing')))).toBe('elsewhere');
  });

  test('the bank’s check moves to another tab of the client when they continue there', () => {
    const otherTab = after(openedWith(null), serverSays('requires_action'), { type: 'continued_here' });
    expect(stepOf(otherTab)).toBe('bank');
  });

  test('an approved bank check waits for the server, then shows the receipt', () => {
    const approved = after(
      bankCheck,
      { type: 'bank_check_answered', isWithdrawal: false },
      answered('succeeded'),
    );
    expect(stepOf(approved)).toBe('checking');
    expect(stepOf(after(approved, serverSays('succeeded'), refetched))).toBe('paid');
  });

  test('a refused bank check returns to the card form with the reason', () => {
    const state = after(
      bankCheck,
      { type: 'bank_check_answered', isWithdrawal: false },
      answered('requires_payment_method', '3', 'authentication_failed'),
      serverSays('requires_payment_method'),
      refetched,
    );
    expect(declineOf(state)).toBe('authentication_failed');
  });

  test('a bank check that the client refuses in order to use another card is no error', () => {
    const state = after(
      bankCheck,
      { type: 'bank_check_answered', isWithdrawal: true },
      answered('requires_payment_method', '3', 'authentication_failed'),
      serverSays('requires_payment_method'),
      refetched,
    );
    expect(stepOf(state)).toBe('card');
    expect(state.attempt).toBeNull();
    expect(declineOf(state)).toBeNull();
  });

  test('the bank’s check cannot be answered for an attempt of another tab', () => {
    const otherTab = after(openedWith(null), serverSays('requires_action'));
    expect(transition(otherTab, { type: 'bank_check_answered', isWithdrawal: false })).toBe(otherTab);
  });
});

describe('another card in place of the one that the bank asks about', () => {
  const changing = after(bankCheck, { type: 'card_change_requested' });

  test('paying with another card shows the card form', () => {
    expect(stepOf(changing)).toBe('card');
  });

  test('keeps the bank check of the first card until the new card is sent', () => {
    const confirming = after(changing, pressPay);
    expect(confirming.attempt).toBe(bankCheck.attempt);
  });

  test('another card is accepted by an intent that still requires action', () => {
    const state = after(changing, pressPay, {
      type: 'intent_checked',
      intent: atProvider('requires_action', '2'),
    });
    expect(state.phase).toBe('submitting');
    expect(state.attempt).toEqual(newAttempt('payment', '2'));
  });

  test('a declined replacement card returns to the card form with the reason', () => {
    const state = after(
      changing,
      pressPay,
      { type: 'intent_checked', intent: atProvider('requires_action', '2') },
      answered('requires_payment_method', '3', 'card_declined'),
      serverSays('requires_payment_method'),
      refetched,
    );
    expect(declineOf(state)).toBe('card_declined');
    expect(state.isChangingCard).toBe(false);
  });

  test('a replacement card that needs a check as well returns to the bank', () => {
    const state = after(
      changing,
      pressPay,
      { type: 'intent_checked', intent: atProvider('requires_action', '2') },
      answered('requires_action', '3'),
      refetched,
    );
    expect(stepOf(state)).toBe('bank');
  });
});

describe('a reload during an attempt', () => {
  const reloaded = after(openedWith(newAttempt('payment', '1')), serverSays('requires_payment_method'));

  test('a reload leaves an attempt without outcome, which is resumed', () => {
    expect(isUnresolved(reloaded)).toBe(true);
    expect(after(reloaded, { type: 'attempt_resumed' }).phase).toBe('resuming');
  });

  test('an interrupted attempt can be resumed while a restored page is read again', () => {
    const state = after(reloaded, { type: 'page_restored' }, { type: 'attempt_resumed' });
    expect(state.phase).toBe('resuming');
    expect(transition(state, refetched)).toBe(state);
  });

  test('a reload shows the decline that arrived in the meantime', () => {
    const state = after(
      reloaded,
      { type: 'attempt_resumed' },
      answered('requires_payment_method', '2', 'insufficient_funds'),
      refetched,
    );
    expect(declineOf(state)).toBe('insufficient_funds');
    expect(isUnresolved(state)).toBe(false);
  });

  test("a reload returns to the bank's check", () => {
    expect(stepOf(after(openedWith(newAttempt('payment', '1')), serverSays('requires_action')))).toBe('bank');
  });

  test('a reload ignores an attempt for another payment', () => {
    const state = after(
      openedWith(newAttempt('earlier payment', '1')),
      serverSays('requires_payment_method'),
    );
    expect(isUnresolved(state)).toBe(false);
    expect(transition(state, { type: 'attempt_resumed' })).toBe(state);
  });
});

describe('a page restored from the back/forward cache', () => {
  test('a restored page accepts no press until the payment has been read again', () => {
    const restored = after(cardForm, { type: 'page_restored' });
    expect(isBusy(restored)).toBe(true);
    expect(transition(restored, pressPay)).toBe(restored);
    expect(after(restored, refetched, pressPay).phase).toBe('confirming');
  });

  test('a restored page of a payment that was made meanwhile shows the receipt', () => {
    expect(stepOf(after(cardForm, { type: 'page_restored' }, serverSays('succeeded'), refetched))).toBe(
      'paid',
    );
  });

  test('restoring the page during an action lets the action finish', () => {
    expect(transition(submitting, { type: 'page_restored' })).toBe(submitting);
  });
});

describe('what the server says', () => {
  test('the payment machine keeps its state object when nothing has changed', () => {
    expect(transition(cardForm, { type: 'server_changed', server: { ...cardForm.server } })).toBe(cardForm);
  });

  test('a payment under review hides everything else', () => {
    const state = after(cardForm, serverSays('requires_payment_method', { isUnderReview: true }));
    expect(stepOf(state)).toBe('review');
    expect(isInProgress(state)).toBe(false);
  });

  test('a payment that is checked with the provider offers nothing to press', () => {
    const state = after(cardForm, serverSays('requires_payment_method', { isBeingChecked: true }));
    expect(stepOf(state)).toBe('checking');
  });

  test('a payment that cannot be loaded is reported only while there is nothing else to show', () => {
    const error = new Error('unreachable');
    const hidden = after(cardForm, serverSays('requires_payment_method', { error }));
    expect(failureOf(hidden)).toBeNull();
    const shown = after(
      openedWith(null),
      serverSays('requires_payment_method', { error, intent: undefined }),
    );
    expect(failureOf(shown)).toBe(error);
  });

  test("the joint client's payment replaces the card form, which returns when that payment fails", () => {
    const elsewhere = after(cardForm, serverSays('requires_action'));
    expect(stepOf(elsewhere)).toBe('elsewhere');
    expect(stepOf(after(elsewhere, serverSays('requires_payment_method')))).toBe('card');
  });

  test('the wait for a status ends once the server has it', () => {
    const waiting = after(submitting, answered('requires_action'));
    expect(waiting.awaitedStatus).toBe('requires_action');
    expect(after(waiting, serverSays('requires_action')).awaitedStatus).toBeNull();
  });

  test('the payment machine knows the id of the payment once the payment or its intent has been read', () => {
    expect(paymentIdOf(openedWith(null))).toBeUndefined();
    expect(paymentIdOf(cardForm)).toBe('payment');
    expect(
      paymentIdOf(after(openedWith(null), serverSays('requires_payment_method', { payment: undefined }))),
    ).toBe('payment');
  });
});

describe('keeping the page open', () => {
  test('the page stays open from the first moment that money can move until the receipt has been read', () => {
    expect(isInProgress(openedWith(null))).toBe(false);
    expect(isInProgress(cardForm)).toBe(true);
    expect(isInProgress(after(cardForm, serverSays('succeeded')))).toBe(true);
  });

  test('the page need not stay open for a payment that was made before it was opened', () => {
    expect(isInProgress(after(openedWith(null), serverSays('succeeded', { intent: undefined })))).toBe(false);
  });

  test('a payment stays in progress while the card is being submitted and while it is processing', () => {
    expect(isInProgress(submitting)).toBe(true);
    expect(isInProgress(after(submitting, answered('processing')))).toBe(true);
  });

  test('keeping the page open ends with a cancelled payment', () => {
    expect(
      isInProgress(after(cardForm, serverSays('cancelled', { payable: false, intent: undefined }))),
    ).toBe(false);
  });
});

describe('signing out', () => {
  test('a sign-out in another tab removes the attempt from the screen', () => {
    expect(after(bankCheck, { type: 'attempt_changed', attempt: null }).attempt).toBeNull();
  });

  test('signing out during an attempt leaves nothing that a later answer could bring back', () => {
    const state = after(submitting, { type: 'attempt_changed', attempt: null }, answered('succeeded'));
    expect(state.attempt).toBeNull();
  });
});
