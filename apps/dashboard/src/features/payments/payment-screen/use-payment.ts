import type { CaseSearch, Payment, PaymentIntent, PaymentStatus, PublicConfig } from '@keyturn/contract';
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { ApiError } from '../../../api/client/api-error.ts';
import type { PaymentAttempt } from '../../../api/payments/payment-tab-store.ts';
import { isOutcomeUnknown, type ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';
import { createSandboxProvider } from '../../../api/payments/sandbox-provider.ts';
import { createStripeProvider } from '../../../api/payments/stripe-provider.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';
import type { Payable } from '../shared/payable.ts';
import { isSettled } from '../shared/payment-status.ts';
import { attemptAfter } from './attempt-outcome.ts';
import { type PaymentStep, stepOf } from './payment-step.ts';
import { useKnownPayment } from './use-known-payment.ts';

/**
 * Gives the provider a card, or what the bank asks for, with the intent's secret.
 * @returns null when nothing was sent
 */
export type AskProvider = (clientSecret: string) => Promise<ProviderIntentState | null>;

export interface PaymentInUse {
  step: PaymentStep;
  /** Pence. */
  amount: number;
  /** Of a payment for a search, once it is known. */
  caseSearch: CaseSearch | undefined;
  /** Of a payment for something else. */
  otherPayment: OtherPayment | undefined;
  payment: Payment | undefined;
  /** What the provider's part of the page needs; in memory alone. */
  intent: PaymentIntent | undefined;
  /** Why there is nothing to show yet. */
  failure: Error | null;
  retry(): void;
  /** Why the last attempt of this tab did not pay, as a code; null after a new one has begun. */
  refusal: string | null;
  /** A press on Pay is under way, or how it stands is being read again: another one does nothing. */
  busy: boolean;
  pay(give: AskProvider): Promise<void>;
  /** What was refused is being mended. */
  clearRefusal(): void;
  /** What the client answers to the bank's own check. */
  answerBank(ask: AskProvider): Promise<void>;
  /** Back from the bank's check to a card. */
  changeCard(): Promise<void>;
  /** The card was given on another page of this client: the bank's check comes here now. */
  continueHere(): void;
}

/**
 * A payment as it really stands: the server's word decides what is shown, whatever this page did before. A reload,
 * the way back, a second tab or a joint owner's payment lead to where it stands; what the bank asks and answers is
 * for the tab that gave the card.
 */
export function usePayment(payable: Payable): PaymentInUse {
  const { config, paymentInProgress } = useServices();
  const refreshCase = useRefreshCase();
  const visit = usePaymentTabStore();
  const provider = useMemo(() => providerOf(config), [config]);
  const [busy, setBusy] = useState(false);
  /** The provider has the card and the page: what it shows of the bank must not be taken away. */
  const [isGiving, setGiving] = useState(false);
  /** The client would rather not confirm the card that the bank asks about. */
  const [isChangingCard, setChangingCard] = useState(false);
  /** What the provider told this page and the server has yet to hear; `unknown`: its answer was lost. */
  const [awaited, setAwaited] = useState<PaymentStatus | 'unknown' | null>(null);
  const pressed = useRef(false);
  /** Why no card may be given for now, whatever else stands on the page. */
  const [held, setHeld] = useState<ApiError | null>(null);

  const known = useKnownPayment(payable, awaited !== null);
  const { payment, intent, status } = known;
  const paymentId = payment?.id ?? intent?.payment_id;
  const lastAttempt = useSyncExternalStore(visit.subscribe, visit.attempt);
  const attempt = lastAttempt?.paymentId === paymentId ? lastAttempt : null;
  const realStep = stepOf({
    payable: known.payable,
    status,
    hasPayment: payment !== undefined,
    hasIntent: intent !== undefined,
    isOwn: attempt !== null,
    underReview: known.isUnderReview,
    checking: known.isBeingChecked || (awaited !== null && awaited !== payment?.status),
  });

  const isHeld = isGiving && payment !== undefined && !isSettled(payment.status);
  const step = isHeld || (isChangingCard && realStep === 'bank') ? 'card' : realStep;

  // The answer that everyone waits for has come: leave the waiting.
  const settled = step === 'paid' || step === 'gone' || step === 'review';
  useEffect(() => {
    if (settled || (awaited !== null && payment?.status === awaited)) setAwaited(null);
  }, [settled, awaited, payment?.status]);

  // What the provider has told and nobody has told the server: it is made to ask.
  const isLate = awaited !== null && awaited !== 'unknown' && config.payments.provider === 'stripe';
  const onLate = useEffectEvent(() => void known.syncFromProvider().catch(() => undefined));
  useEffect(() => {
    if (!isLate) return undefined;
    const timer = setInterval(() => onLate(), 5_000);
    return () => clearInterval(timer);
  }, [isLate]);

  // Every step that it takes is told to the rest of the dashboard.
  const toldStatus = useRef(status);
  const onMoved = useEffectEvent(() => void refreshCase());
  useEffect(() => {
    if (status === undefined || status === toldStatus.current) return;
    toldStatus.current = status;
    onMoved();
  }, [status]);

  // From the first moment at which money can move to the last, and while its receipt is read, nothing may take this
  // page away.
  const moves = !settled && (intent !== undefined || step === 'checking');
  const [hasMoved, setHasMoved] = useState(false);
  if (moves && !hasMoved) setHasMoved(true);
  const underWay = moves || (hasMoved && step === 'paid');
  useEffect(() => (underWay ? paymentInProgress.start() : undefined), [underWay, paymentInProgress]);

  // The browser may bring this page back as it was left, long ago.
  const onReturn = useEffectEvent((event: PageTransitionEvent) => {
    if (!event.persisted || pressed.current) return;
    setBusy(true);
    void known.refetch().finally(() => setBusy(pressed.current));
  });
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => onReturn(event);
    window.addEventListener('pageshow', listener);
    return () => window.removeEventListener('pageshow', listener);
  }, []);

  /** One action at a time, and whatever comes of it ends in what the server says of the payment. */
  const act = async (action: (secret: string) => Promise<void>) => {
    if (!intent || pressed.current) return;
    pressed.current = true;
    setBusy(true);
    // Also when the screen has been left meanwhile: its request must not be cut off.
    const end = paymentInProgress.start();
    try {
      await action(intent.client_secret);
    } finally {
      await known.refetch();
      end();
      pressed.current = false;
      setBusy(false);
    }
  };

  /** How an intent stands, from whoever answers: the provider, or the server that asks it. */
  const read = (secret: string): Promise<ProviderIntentState> =>
    provider.read(secret).catch(async () => ({
      status: await known.syncFromProvider(),
      revision: attempt?.mark ?? '',
      refusal: null,
    }));

  /** Waits for what comes of an attempt, however long the connection is away. */
  const follow = async (
    begun: PaymentAttempt,
    secret: string,
    asked: Promise<ProviderIntentState | null>,
  ) => {
    try {
      const after = await asked.catch(async (error: unknown) => {
        if (!isOutcomeUnknown(error)) throw error;
        // The lost answer may have been a yes. Ask before anything else is offered.
        setGiving(false);
        setAwaited('unknown');
        return readUntilAnswered(() => read(secret));
      });
      if (after === null) {
        visit.setAttempt(null);
        return;
      }
      setAwaited(after.status);
      known.setOptimisticStatus(after.status);
      visit.setAttempt(attemptAfter(begun, after));
    } catch (error) {
      setAwaited(null);
      if (isSignedOut(error)) return;
      // The provider would not have it: nothing of it has reached a bank.
      visit.setAttempt({ ...begun, refusal: 'no_response' });
    }
  };

  const pay = (give: AskProvider) =>
    act(async (secret) => {
      if (paymentId === undefined) return;
      const begun: PaymentAttempt = { paymentId, mark: '', refusal: null };
      // The card that the bank asks about is this tab's own for as long as there is no other.
      if (!isChangingCard) visit.setAttempt(null);
      try {
        // Who presses is who pays, whoever looked last; and nobody pays into what another owner has begun.
        const [, before] = await Promise.all([
          known.confirmForThisClient().catch(letFinish),
          provider.read(secret),
        ]);
        const isFree = before.status === 'requires_payment_method';
        if (!isFree && !(isChangingCard && before.status === 'requires_action')) return;
        begun.mark = before.revision;
      } catch (error) {
        if (isHeldBack(error)) setHeld(error);
        else if (!hasMovedOn(error)) visit.setAttempt({ ...begun, refusal: 'no_response' });
        return;
      }
      visit.setAttempt(begun);
      setGiving(true);
      try {
        await follow(begun, secret, give(secret));
      } finally {
        setGiving(false);
        setChangingCard(false);
      }
    });

  // A reload, or a connection that was lost with the page: what came of the attempt is asked for.
  const isUnresolved =
    attempt !== null &&
    attempt.refusal === null &&
    intent !== undefined &&
    payment?.status === 'requires_payment_method';
  const onUnresolved = useEffectEvent(() => {
    if (attempt) void act((secret) => follow(attempt, secret, read(secret)));
  });
  useEffect(() => {
    if (isUnresolved) onUnresolved();
  }, [isUnresolved]);

  const answerBank = (ask: AskProvider, isChange = false) =>
    act(async (secret) => {
      if (!attempt) return;
      await follow(attempt, secret, ask(secret));
      // The client's own wish is no refusal.
      if (isChange && visit.attempt()?.refusal === 'authentication_failed') visit.setAttempt(null);
    });

  return {
    step,
    amount: known.amount,
    caseSearch: known.caseSearch,
    otherPayment: payable.kind === 'other' ? payable.otherPayment : undefined,
    payment,
    intent,
    // What can be shown is shown; a failed refresh behind it is tried again by itself.
    failure: held ?? (step === 'loading' ? known.error : null),
    retry: () => {
      setHeld(null);
      void Promise.all([refreshCase(), known.refetch()]);
    },
    refusal: step === 'card' && !busy ? (attempt?.refusal ?? null) : null,
    busy,
    pay,
    clearRefusal: () => {
      if (attempt?.refusal) visit.setAttempt(null);
    },
    answerBank: (ask) => answerBank(ask),
    changeCard: async () => {
      // The sandbox's bank has to be told; Stripe takes another card in the place of the one that is asked about.
      if (provider.refuse) await answerBank(provider.refuse, true);
      else setChangingCard(true);
    },
    continueHere: () => {
      if (paymentId !== undefined) visit.setAttempt({ paymentId, mark: '', refusal: null });
    },
  };
}

/** The browser's side of the provider that this installation takes payments with. */
function providerOf({ api_base_url, payments }: PublicConfig): {
  read(clientSecret: string): Promise<ProviderIntentState>;
  /** Tells the bank no, where the page plays it. */
  refuse?: AskProvider;
} {
  if (payments.provider === 'stripe') return createStripeProvider(payments.publishable_key);
  const sandbox = createSandboxProvider(api_base_url);
  return {
    read: sandbox.read,
    refuse: (client_secret) => sandbox.authenticate({ client_secret, outcome: 'refused' }),
  };
}

/** Maintenance refuses what is new; a payment that is under way may be finished. */
function letFinish(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'maintenance')) throw error;
}

/** Too many attempts: what to do is for the server to say. */
const isHeldBack = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'too_many_payment_attempts';

/** It is paid, given up, at another price or being looked at: the payment itself tells how it stands. */
const hasMovedOn = (error: unknown) =>
  error instanceof ApiError &&
  [
    'already_paid',
    'payment_settled',
    'not_payable',
    'price_changed',
    'payment_being_checked',
    'payment_under_review',
  ].includes(error.code);

/** Whoever signs in again finds the payment as it stands. */
const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Asks until there is an answer, more and more slowly: a payment of unknown outcome is not given up. */
async function readUntilAnswered<T>(read: () => Promise<T>): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 10_000)) {
    try {
      return await read();
    } catch (error) {
      if (isSignedOut(error)) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
