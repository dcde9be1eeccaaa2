import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { createStore } from '@keyturn/browser/store/create-store.ts';
import type { PaymentStatus } from '@keyturn/contract';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import type { PaymentTabStore } from '../../../api/payments/payment-tab-store.ts';
import { isOutcomeUnknown, type ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';
import type { PaymentInProgress } from '../../../api/session/payment-in-progress.ts';
import {
  type ConfirmationFailure,
  isAheadOfServer,
  isInProgress,
  isUnresolved,
  openedWith,
  type PaymentEvent,
  type PaymentScreenState,
  type PaymentSnapshot,
  paymentIdOf,
  transition,
} from './payment-machine.ts';

/**
 * Sends a card, or the client's answer to the bank's check, to the provider with the intent's client secret.
 * @returns null if nothing was sent
 */
export type ProviderRequest = (clientSecret: string) => Promise<ProviderIntentState | null>;

/** The provider as the browser reaches it. */
export interface BrowserProvider {
  read(intent: PayableIntent): Promise<ProviderIntentState>;
  /** Refuses the bank's check. Only the sandbox needs it: Stripe accepts another card without it. */
  refuseCheck?: ProviderRequest;
  /** The server may receive a change late, and can be made to sync. */
  needsRefresh: boolean;
}

/** Calls to our own server about the payment on the screen. */
export interface PaymentServer {
  /**
   * Checks with the server, right before the card is sent, that this client may pay at the price that is shown.
   * @throws ApiError
   */
  confirm(paymentId: string): Promise<void>;
  /** Makes the server sync the payment's status from the provider. @throws ApiError */
  refresh(paymentId: string): Promise<PaymentStatus>;
  /** Reads the payment again. Does not throw: the queries keep their errors. */
  refetch(paymentId: string | undefined): Promise<void>;
  /** Reads everything about the case again. */
  refreshCase(): Promise<void>;
  /** Shows other screens the status that the server is about to receive. */
  setOptimisticStatus(status: PaymentStatus, serverStatus: PaymentStatus | undefined): void;
}

export interface PaymentControllerOptions {
  server: PaymentServer;
  provider: BrowserProvider;
  tabStore: PaymentTabStore;
  paymentInProgress: PaymentInProgress;
  /** The window, for `pageshow`. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
}

export interface PaymentController {
  /** The same object until something changes. */
  state(): PaymentScreenState;
  subscribe(listener: () => void): () => void;
  /** Follows the tab's store and the page until the returned function is called. */
  connect(): () => void;
  /** Passes on what the queries have read. */
  setSnapshot(server: PaymentSnapshot): void;
  pay(sendCard: ProviderRequest): Promise<void>;
  /** Passes the client's answer to the bank's check on to the provider. */
  answerBankCheck(send: ProviderRequest): Promise<void>;
  /** Returns from the bank's check to the card form. */
  changeCard(): Promise<void>;
  /** Brings the bank's check to this tab, for a card that was given in another one. */
  continueHere(): void;
  dismissDecline(): void;
  /** Retries everything that could not be loaded. */
  retry(): void;
}

/**
 * Runs the payment machine: makes the calls that a press leads to and sends their results as events. An action that is
 * in progress continues when the client leaves the screen, and its result is stored for this tab.
 */
export function createPaymentController(options: PaymentControllerOptions): PaymentController {
  const { server, provider } = options;
  const store = createStateStore(options.tabStore);
  const actions = createActions(store, options);
  return {
    state: store.get,
    subscribe: store.subscribe,
    connect: () => followTab(store, actions, options),
    setSnapshot: (snapshot) => void store.send({ type: 'server_changed', server: snapshot }),
    pay: actions.pay,
    answerBankCheck: (request) => actions.answerBankCheck(request),
    changeCard: async () => {
      if (provider.refuseCheck) await actions.answerBankCheck(provider.refuseCheck, true);
      else store.send({ type: 'card_change_requested' });
    },
    continueHere: () => void store.send({ type: 'continued_here' }),
    dismissDecline: () => void store.send({ type: 'decline_dismissed' }),
    retry: () => {
      store.send({ type: 'retried' });
      void Promise.all([server.refreshCase(), actions.refetch()]);
    },
  };
}

type StateStore = ReturnType<typeof createStateStore>;

/** Holds the state of the payment machine, and stores the attempt for this tab. */
function createStateStore(tabStore: PaymentTabStore) {
  const { get, set, subscribe } = createStore(openedWith(tabStore.attempt()));
  return {
    get,
    subscribe,
    /** @returns whether the event was accepted */
    send: (event: PaymentEvent): boolean => {
      const before = get();
      const state = transition(before, event);
      if (state === before) return false;
      set(state);
      if (state.attempt !== before.attempt) tabStore.setAttempt(state.attempt);
      return true;
    },
  };
}

type Actions = ReturnType<typeof createActions>;

/** Creates the actions that call the provider and the server. */
function createActions(
  { get, send }: StateStore,
  { server, provider, paymentInProgress }: PaymentControllerOptions,
) {
  const refetch = () => server.refetch(paymentIdOf(get()));

  /** Runs one action at a time, and then always reads the payment from the server. */
  const run = async (start: PaymentEvent, action: (intent: PayableIntent) => Promise<void>) => {
    if (!send(start)) return;
    const { intent } = get().server;
    if (!intent) return;
    // The page must stay open during the action, even if the client leaves the screen.
    const end = paymentInProgress.start();
    try {
      await action(intent);
    } finally {
      await refetch();
      end();
      send({ type: 'refetched' });
    }
  };

  /** Reads the intent's state from the provider, or from the server if the provider cannot be reached. */
  const readIntent = (intent: PayableIntent): Promise<ProviderIntentState> =>
    provider.read(intent).catch(async () => ({
      status: await server.refresh(paymentIdOf(get()) ?? ''),
      revision: get().attempt?.revisionBefore ?? '',
      decline: null,
    }));

  /** Waits for the outcome of a request to the provider, however long the connection is down. */
  const awaitOutcome = async (intent: PayableIntent, request: Promise<ProviderIntentState | null>) => {
    try {
      const answer = await request.catch((error: unknown) => {
        if (!isOutcomeUnknown(error)) throw error;
        send({ type: 'answer_lost' });
        return retryUntilAnswered(() => readIntent(intent));
      });
      if (answer === null) send({ type: 'nothing_sent' });
      else {
        server.setOptimisticStatus(answer.status, get().server.status);
        send({ type: 'provider_answered', intent: answer });
      }
    } catch (error) {
      send({ type: isSignedOut(error) ? 'signed_out' : 'request_rejected' });
    }
  };

  return {
    refetch,
    resume: () => run({ type: 'attempt_resumed' }, (intent) => awaitOutcome(intent, readIntent(intent))),
    answerBankCheck: (request: ProviderRequest, isWithdrawal = false) =>
      run({ type: 'bank_check_answered', isWithdrawal }, (intent) =>
        awaitOutcome(intent, request(intent.client_secret)),
      ),
    pay: (sendCard: ProviderRequest) =>
      run({ type: 'pay_pressed' }, async (payable) => {
        try {
          const [, intent] = await Promise.all([
            server.confirm(paymentIdOf(get()) ?? '').catch(allowDuringMaintenance),
            provider.read(payable),
          ]);
          send({ type: 'intent_checked', intent });
        } catch (error) {
          send({ type: 'confirmation_failed', failure: confirmationFailureOf(error) });
        }
        if (get().phase === 'submitting') await awaitOutcome(payable, sendCard(payable.client_secret));
      }),
  };
}

/**
 * Follows the tab's store, the page and the state.
 * @returns how to stop
 */
function followTab(
  { get, send, subscribe }: StateStore,
  { resume, refetch }: Actions,
  { server, provider, tabStore, paymentInProgress, events }: PaymentControllerOptions,
): () => void {
  const watchState = createStateWatcher({
    onUnresolved: () => void resume(),
    onStatusChange: () => void server.refreshCase(),
    startRefreshing: () => {
      if (!provider.needsRefresh) return undefined;
      const refresh = () => void server.refresh(paymentIdOf(get()) ?? '').catch(() => undefined);
      const timer = setInterval(refresh, 5_000);
      return () => clearInterval(timer);
    },
    keepPageOpen: () => paymentInProgress.start(),
  });
  const followState = () => watchState.update(get());
  const followTabStore = () => send({ type: 'attempt_changed', attempt: tabStore.attempt() });
  const onPageShow = (event: Event) => {
    if (!(event as PageTransitionEvent).persisted || !send({ type: 'page_restored' })) return;
    void refetch().finally(() => send({ type: 'refetched' }));
  };
  const stopFollowingState = subscribe(followState);
  const stopFollowingTabStore = tabStore.subscribe(followTabStore);
  events.addEventListener('pageshow', onPageShow);
  followTabStore();
  followState();
  return () => {
    stopFollowingState();
    stopFollowingTabStore();
    events.removeEventListener('pageshow', onPageShow);
    watchState.stop();
  };
}

interface StateReactions {
  /** An attempt of this tab has no outcome yet. Called once each time that becomes true. */
  onUnresolved(): void;
  onStatusChange(): void;
  /** The provider is ahead of the server. @returns how to stop */
  startRefreshing(): (() => void) | undefined;
  /** @returns how to stop */
  keepPageOpen(): () => void;
}

/** Starts and stops the effects that depend only on the state. */
function createStateWatcher({ onUnresolved, onStatusChange, startRefreshing, keepPageOpen }: StateReactions) {
  let wasUnresolved = false;
  let lastStatus: { status: PaymentStatus | undefined } | undefined;
  let stopRefreshing: (() => void) | undefined;
  let wasAhead = false;
  let allowLeaving: (() => void) | undefined;

  const update = (state: PaymentScreenState) => {
    const { status } = state.server;
    const hasStatusChanged = lastStatus !== undefined && status !== undefined && status !== lastStatus.status;
    lastStatus = { status: status ?? lastStatus?.status };
    const isAhead = isAheadOfServer(state);
    if (isAhead !== wasAhead) {
      wasAhead = isAhead;
      stopRefreshing?.();
      stopRefreshing = isAhead ? startRefreshing() : undefined;
    }
    if (isInProgress(state)) allowLeaving ??= keepPageOpen();
    else {
      allowLeaving?.();
      allowLeaving = undefined;
    }
    const isUnresolvedNow = isUnresolved(state);
    const becameUnresolved = isUnresolvedNow && !wasUnresolved;
    wasUnresolved = isUnresolvedNow;
    // Last, because they change the state.
    if (hasStatusChanged) onStatusChange();
    if (becameUnresolved) onUnresolved();
  };
  return {
    update,
    stop: () => {
      stopRefreshing?.();
      allowLeaving?.();
    },
  };
}

/** Maintenance stops new payments; a payment that has started may be finished. */
function allowDuringMaintenance(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'maintenance')) throw error;
}

/** Why the check before sending the card failed. */
export function confirmationFailureOf(error: unknown): ConfirmationFailure {
  if (!(error instanceof ApiError)) return { kind: 'no_response' };
  if (isSignedOut(error)) return { kind: 'signed_out' };
  switch (error.code) {
    case 'too_many_payment_attempts':
    case 'payments_paused':
    case 'identity_not_checked':
      return { kind: 'refused', error };
    case 'already_paid':
    case 'payment_settled':
    case 'not_payable':
    case 'payment_cancelled':
    case 'card_not_accepted':
    case 'bank_not_accepted':
    case 'price_changed':
    case 'wording_changed':
    case 'started_by_other_client':
    case 'confirmation_required':
    case 'payment_being_checked':
    case 'payment_under_review':
      return { kind: 'moved_on' };
    default:
      return { kind: 'no_response' };
  }
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Repeats a call with exponential back-off, from half a second to ten seconds, until it succeeds or the sign-in ends. */
async function retryUntilAnswered<T>(read: () => Promise<T>): Promise<T> {
  for (let delay = 500; ; delay = Math.min(delay * 2, 10_000)) {
    try {
      return await read();
    } catch (error) {
      if (isSignedOut(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
