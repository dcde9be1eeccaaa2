import type { ApiError } from '@keyturn/browser/calls/api-error.ts';
import type { CaseSearch, Payment, PaymentStatus } from '@keyturn/contract';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import type { AttemptDecline, PaymentAttempt } from '../../../api/payments/payment-tab-store.ts';
import type { ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';
import type { Payer } from '../../../api/payments/started-payment.ts';
import { isPaymentSettled } from '../status/payment-status.ts';
import { attemptAfter, newAttempt } from './payment-attempt.ts';
import { type PaymentStep, stepFor } from './payment-step.ts';

/**
 * The payment screen as a state machine: states, events, one transition table, and selectors. Everything here is pure;
 * `payment-controller.ts` makes the calls and sends their results as events.
 */

/**
 * What this tab is doing about the payment. The client can act in `idle` only.
 * - `rereading`: the browser restored the page from its back/forward cache, so the payment is read again first
 * - `confirming`: Pay was pressed; price, payer and consent are checked before the card is sent
 * - `submitting`: the provider has the card, and may show the bank's check over the page
 * - `authenticating`: the client's answer to the bank's check is on its way
 * - `resuming`: a reload interrupted an attempt, and the provider is asked for its outcome
 * - `recovering`: the provider's answer was lost, and the provider is asked until it answers
 * - `settling`: the action is over, and the payment is read from the server again
 */
export type PaymentPhase =
  | 'idle'
  | 'rereading'
  | 'confirming'
  | 'submitting'
  | 'authenticating'
  | 'resuming'
  | 'recovering'
  | 'settling';

/** The payment according to the server, which decides what is shown. */
export interface PaymentSnapshot {
  /** Whether a payment can be started or continued; undefined until known. */
  payable: boolean | undefined;
  /** Undefined if no payment has been started, or while it is not known. */
  status: PaymentStatus | undefined;
  /** Pence. */
  amount: number;
  caseSearch: CaseSearch | undefined;
  payment: Payment | undefined;
  /** Kept in memory only: it contains the client secret. */
  intent: PayableIntent | undefined;
  /** The client whose payment it is; undefined while it is not known. */
  payer: Payer['kind'] | undefined;
  /** The server is finding out from the provider whether money has moved. */
  isBeingChecked: boolean;
  isUnderReview: boolean;
  error: Error | null;
}

export interface PaymentScreenState {
  phase: PaymentPhase;
  /** The last attempt of this tab, for this payment or an earlier one. */
  attempt: PaymentAttempt | null;
  /** The client wants to replace the card that the bank is asking about. */
  isChangingCard: boolean;
  /** The client refused the bank's check in order to use another card, so its decline is not an error. */
  isWithdrawingCard: boolean;
  /** A status from the provider that the server does not have yet; `unknown` if the provider's answer was lost. */
  awaitedStatus: PaymentStatus | 'unknown' | null;
  /** The server accepts no attempts for now, and says why. */
  refusedBy: ApiError | null;
  /** Money could have moved since the screen was opened. */
  hasBeenInProgress: boolean;
  server: PaymentSnapshot;
}

/** Why the card was not sent after Pay was pressed. `moved_on`: the payment changed, and its status says how. */
export type ConfirmationFailure =
  | { kind: 'refused'; error: ApiError }
  | { kind: 'moved_on' }
  | { kind: 'signed_out' }
  | { kind: 'no_response' };

export type PaymentEvent =
  | { type: 'server_changed'; server: PaymentSnapshot }
  /** Another screen of this tab, or signing out, changed the stored attempt. */
  | { type: 'attempt_changed'; attempt: PaymentAttempt | null }
  | { type: 'page_restored' }
  | { type: 'pay_pressed' }
  | { type: 'intent_checked'; intent: ProviderIntentState }
  | { type: 'confirmation_failed'; failure: ConfirmationFailure }
  | { type: 'bank_check_answered'; isWithdrawal: boolean }
  | { type: 'attempt_resumed' }
  | { type: 'provider_answered'; intent: ProviderIntentState }
  | { type: 'answer_lost' }
  /** The provider found the card's details incomplete and sent nothing. */
  | { type: 'nothing_sent' }
  /** The provider rejected the request, so it reached no bank. */
  | { type: 'request_rejected' }
  | { type: 'signed_out' }
  | { type: 'refetched' }
  | { type: 'card_change_requested' }
  | { type: 'continued_here' }
  | { type: 'decline_dismissed' }
  | { type: 'retried' };

const unknownSnapshot: PaymentSnapshot = {
  payable: undefined,
  status: undefined,
  amount: 0,
  caseSearch: undefined,
  payment: undefined,
  intent: undefined,
  payer: undefined,
  isBeingChecked: false,
  isUnderReview: false,
  error: null,
};

/** The state of a screen that has just been opened, with the tab's last attempt. */
export const openedWith = (attempt: PaymentAttempt | null): PaymentScreenState => ({
  phase: 'idle',
  attempt,
  isChangingCard: false,
  isWithdrawingCard: false,
  awaitedStatus: null,
  refusedBy: null,
  hasBeenInProgress: false,
  server: unknownSnapshot,
});

/**
 * Returns the state after an event, or the same state object if the event changes nothing or is not accepted in this
 * phase.
 */
export function transition(state: PaymentScreenState, event: PaymentEvent): PaymentScreenState {
  const row = transitions[state.phase][event.type] ?? inEveryPhase[event.type];
  const next = row ? (row as Transition<PaymentEvent>)(state, event) : state;
  return next === state ? state : withDerivedFields(next);
}

type Transition<E> = (state: PaymentScreenState, event: E) => PaymentScreenState;
type TransitionRow = {
  [Type in PaymentEvent['type']]?: Transition<Extract<PaymentEvent, { type: Type }>>;
};

const enter =
  (phase: PaymentPhase): Transition<unknown> =>
  (state) => ({ ...state, phase });

const checkBeforeSending: Transition<unknown> = (state) =>
  state.server.intent === undefined
    ? state
    : {
        ...state,
        phase: 'confirming',
        // Until it is replaced, the card that the bank asks about remains this tab's.
        attempt: state.isChangingCard ? state.attempt : null,
      };

const sendCard: Transition<{ intent: ProviderIntentState }> = (state, { intent }) => {
  const acceptsCard =
    intent.status === 'requires_payment_method' ||
    (state.isChangingCard && intent.status === 'requires_action');
  const paymentId = paymentIdOf(state);
  // Another tab or the joint client was faster.
  if (!acceptsCard || paymentId === undefined) return { ...state, phase: 'settling' };
  return { ...state, phase: 'submitting', attempt: newAttempt(paymentId, intent.revision) };
};

const reportConfirmationFailure: Transition<{ failure: ConfirmationFailure }> = (state, { failure }) => {
  const paymentId = paymentIdOf(state);
  const next: PaymentScreenState = { ...state, phase: 'settling' };
  if (failure.kind === 'refused') return { ...next, refusedBy: failure.error };
  if (failure.kind !== 'no_response' || paymentId === undefined) return next;
  return { ...next, attempt: { ...newAttempt(paymentId, ''), decline: 'no_response' } };
};

const answerBank: Transition<{ isWithdrawal: boolean }> = (state, { isWithdrawal }) =>
  ownAttemptOf(state) && state.server.intent
    ? { ...state, phase: 'authenticating', isWithdrawingCard: isWithdrawal }
    : state;

const resumeAttempt: Transition<unknown> = (state) =>
  isUnresolved(state) ? { ...state, phase: 'resuming' } : state;

const endAttempt = (state: PaymentScreenState, change: Partial<PaymentScreenState>): PaymentScreenState => ({
  ...state,
  phase: 'settling',
  isChangingCard: false,
  isWithdrawingCard: false,
  ...change,
});

const applyProviderAnswer: Transition<{ intent: ProviderIntentState }> = (state, { intent }) => {
  const after = state.attempt && attemptAfter(state.attempt, intent);
  const isWithdrawn = state.isWithdrawingCard && after?.decline === 'authentication_failed';
  return endAttempt(state, { awaitedStatus: intent.status, attempt: isWithdrawn ? null : after });
};

/** The possible outcomes of any request to the provider. */
const providerOutcomes: TransitionRow = {
  provider_answered: applyProviderAnswer,
  // The lost answer may have been a success: nothing else is offered until the outcome is known.
  answer_lost: (state) => ({ ...state, phase: 'recovering', awaitedStatus: 'unknown' }),
  nothing_sent: (state) => endAttempt(state, { attempt: null }),
  request_rejected: (state) =>
    endAttempt(state, {
      awaitedStatus: null,
      attempt: state.attempt && { ...state.attempt, decline: 'no_response' },
    }),
  // The client finds the payment in its current state after signing in again.
  signed_out: (state) => endAttempt(state, { awaitedStatus: null }),
};

/** The transitions of each phase. An event without a row here or in `inEveryPhase` is ignored. */
export const transitions: Record<PaymentPhase, TransitionRow> = {
  idle: {
    page_restored: enter('rereading'),
    pay_pressed: checkBeforeSending,
    bank_check_answered: answerBank,
    attempt_resumed: resumeAttempt,
    card_change_requested: (state) => ({ ...state, isChangingCard: true }),
  },
  rereading: {
    refetched: enter('idle'),
    attempt_resumed: resumeAttempt,
  },
  confirming: {
    intent_checked: sendCard,
    confirmation_failed: reportConfirmationFailure,
  },
  submitting: providerOutcomes,
  authenticating: providerOutcomes,
  resuming: providerOutcomes,
  recovering: providerOutcomes,
  settling: {
    refetched: enter('idle'),
  },
};

export const inEveryPhase: TransitionRow = {
  server_changed: (state, { server }) =>
    isSameSnapshot(state.server, server) ? state : { ...state, server },
  attempt_changed: (state, { attempt }) => (state.attempt === attempt ? state : { ...state, attempt }),
  continued_here: (state) => {
    const paymentId = paymentIdOf(state);
    return paymentId === undefined ? state : { ...state, attempt: newAttempt(paymentId, '') };
  },
  decline_dismissed: (state) => (ownAttemptOf(state)?.decline ? { ...state, attempt: null } : state),
  retried: (state) => (state.refusedBy ? { ...state, refusedBy: null } : state),
};

/** Fields that follow from the others after every transition. */
function withDerivedFields(state: PaymentScreenState): PaymentScreenState {
  const hasArrived = isOver(state) || state.server.payment?.status === state.awaitedStatus;
  const next = hasArrived && state.awaitedStatus !== null ? { ...state, awaitedStatus: null } : state;
  return !next.hasBeenInProgress && canMoneyMove(next) ? { ...next, hasBeenInProgress: true } : next;
}

/** Which part of the screen is shown. */
export function stepOf(state: PaymentScreenState): PaymentStep {
  const { server, awaitedStatus } = state;
  const step = stepFor({
    payable: server.payable,
    status: server.status,
    hasPayment: server.payment !== undefined,
    hasIntent: server.intent !== undefined,
    payer: server.payer,
    isOwn: ownAttemptOf(state) !== null,
    underReview: server.isUnderReview,
    checking: server.isBeingChecked || (awaitedStatus !== null && awaitedStatus !== server.payment?.status),
  });
  // While the provider shows the bank's check, its card form must stay on the page.
  const isFormInUse =
    state.phase === 'submitting' && server.payment !== undefined && !isPaymentSettled(server.payment.status);
  return isFormInUse || (state.isChangingCard && step === 'bank') ? 'card' : step;
}

/** Whether an action is in progress: further presses have no effect. */
export const isBusy = ({ phase }: PaymentScreenState): boolean => phase !== 'idle';

/** Why the last attempt of this tab failed; null once a new one has started. */
export const declineOf = (state: PaymentScreenState): AttemptDecline | null =>
  stepOf(state) === 'card' && !isBusy(state) ? (ownAttemptOf(state)?.decline ?? null) : null;

/** Why there is nothing to show. A failed refresh behind visible content is retried without a message. */
export const failureOf = (state: PaymentScreenState): Error | null =>
  state.refusedBy ?? (stepOf(state) === 'loading' ? state.server.error : null);

/** Whether the page must stay open: from when money can move until the receipt has been read. */
export const isInProgress = (state: PaymentScreenState): boolean =>
  canMoneyMove(state) || (state.hasBeenInProgress && stepOf(state) === 'paid');

/** Whether an attempt of this tab was interrupted before its outcome was known, by a reload for example. */
export const isUnresolved = (state: PaymentScreenState): boolean =>
  ownAttemptOf(state)?.decline === null &&
  state.server.intent !== undefined &&
  state.server.payment?.status === 'requires_payment_method';

/** Whether the provider has reported a status that the server has not received yet. */
export const isAheadOfServer = ({ awaitedStatus }: PaymentScreenState): boolean =>
  awaitedStatus !== null && awaitedStatus !== 'unknown';

/** The id of the payment on the screen; undefined before it is known. */
export const paymentIdOf = ({ server }: PaymentScreenState): string | undefined =>
  server.payment?.id ?? server.intent?.payment_id;

/** The tab's last attempt, if it was for the payment on the screen. */
function ownAttemptOf(state: PaymentScreenState): PaymentAttempt | null {
  return state.attempt?.paymentId === paymentIdOf(state) ? state.attempt : null;
}

function isOver(state: PaymentScreenState): boolean {
  const step = stepOf(state);
  return step === 'paid' || step === 'gone' || step === 'review';
}

const canMoneyMove = (state: PaymentScreenState): boolean =>
  !isOver(state) && (state.server.intent !== undefined || stepOf(state) === 'checking');

const isSameSnapshot = (before: PaymentSnapshot, after: PaymentSnapshot): boolean =>
  (Object.keys(after) as (keyof PaymentSnapshot)[]).every((field) => before[field] === after[field]);
