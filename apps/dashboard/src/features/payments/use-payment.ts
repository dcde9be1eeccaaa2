import type { CaseSearch, Payment, PaymentStatus, SandboxIntent } from '@keyturn/contract';
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { OtherPayment } from '../../api/case-state.ts';
import type { PaymentAttempt } from '../../api/payment-visit.ts';
import { useRefreshCase } from '../../api/queries.ts';
import { createSandboxProvider, outcomeIsUnknown } from '../../api/sandbox-provider.ts';
import { useServices } from '../../api/services.ts';
import { usePaymentVisit } from '../../api/use-payment-visit.ts';
import { attemptAfter } from './attempt-outcome.ts';
import type { Card } from './card-input.ts';
import { type PaymentStep, stepOf } from './payment-step.ts';
import { type Payable, useKnownPayment } from './use-known-payment.ts';

export interface PaymentInUse {
  step: PaymentStep;
  /** Pence. */
  amount: number;
  /** Of a payment for a search, once it is known. */
  caseSearch: CaseSearch | undefined;
  /** Of a payment for something else. */
  otherPayment: OtherPayment | undefined;
  payment: Payment | undefined;
  /** Why there is nothing to show yet. */
  failure: Error | null;
  retry(): void;
  /** Why the last attempt of this tab did not pay, as a code; null after a new one has begun. */
  refusal: string | null;
  /** A press on Pay is under way: another one does nothing. */
  busy: boolean;
  pay(card: Card): Promise<void>;
  /** What was refused is being mended. */
  forgetRefusal(): void;
  /** What the client answers to the bank's own check. */
  answerBank(outcome: 'approved' | 'refused'): Promise<void>;
  /** Back from the bank's check to a card. */
  takeAnotherCard(): Promise<void>;
  /** The card was given on another page of this client: the bank's check comes here now. */
  goOnHere(): void;
}

/**
 * A payment as it really stands: the server's word decides what is shown, whatever this page did before. A reload,
 * the way back, a second tab or a joint owner's payment lead to where it stands; what the bank asks and answers is
 * for the tab that gave the card.
 */
export function usePayment(payable: Payable): PaymentInUse {
  const { config, paymentUnderWay } = useServices();
  const refreshCase = useRefreshCase();
  const visit = usePaymentVisit();
  const provider = useMemo(() => createSandboxProvider(config.api_base_url), [config.api_base_url]);
  const [busy, setBusy] = useState(false);
  /** What the provider told this page and the server has yet to hear; `unknown`: its answer was lost. */
  const [awaited, setAwaited] = useState<PaymentStatus | 'unknown' | null>(null);
  const pressed = useRef(false);

  const known = useKnownPayment(payable, awaited !== null);
  const { payment, intent, status } = known;
  const paymentId = payment?.id ?? intent?.payment_id;
  const lastAttempt = useSyncExternalStore(visit.subscribe, visit.attempt);
  const attempt = lastAttempt?.paymentId === paymentId ? lastAttempt : null;
  const step = stepOf({
    payable: known.payable,
    status,
    hasPayment: payment !== undefined,
    hasIntent: intent !== undefined,
    isOwn: attempt !== null,
    checking: known.isBeingChecked || (awaited !== null && awaited !== payment?.status),
  });

  // The answer that everyone waits for has come: leave the waiting.
  const settled = step === 'paid' || step === 'gone';
  useEffect(() => {
    if (settled || (awaited !== null && payment?.status === awaited)) setAwaited(null);
  }, [settled, awaited, payment?.status]);

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
  useEffect(() => (underWay ? paymentUnderWay.begin() : undefined), [underWay, paymentUnderWay]);

  // The browser may bring this page back as it was left, long ago.
  const onReturn = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) void known.askAgain();
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
    const end = paymentUnderWay.begin();
    try {
      await action(intent.client_secret);
    } finally {
      await known.askAgain();
      end();
      pressed.current = false;
      setBusy(false);
    }
  };

  /** Waits for what comes of an attempt, however long the connection is away. */
  const follow = async (begun: PaymentAttempt, secret: string, asked: Promise<SandboxIntent>) => {
    try {
      const after = await asked.catch(async (error: unknown) => {
        if (!outcomeIsUnknown(error)) throw error;
        // The lost answer may have been a yes. Ask before anything else is offered.
        setAwaited('unknown');
        return readUntilAnswered(() => provider.read(secret));
      });
      setAwaited(after.status);
      known.foretell(after.status);
      visit.setAttempt(attemptAfter(begun, after));
    } catch {
      // The provider would not have it: nothing of it has reached a bank.
      setAwaited(null);
      visit.setAttempt({ ...begun, refusal: 'not_heard' });
    }
  };

  const pay = (card: Card) =>
    act(async (secret) => {
      if (paymentId === undefined) return;
      const begun: PaymentAttempt = { paymentId, version: 0, refusal: null };
      visit.setAttempt(null);
      try {
        // Who presses is who pays, whoever looked last; and nobody pays into what another owner has begun.
        const [, before] = await Promise.all([known.hold().catch(letFinish), provider.read(secret)]);
        if (before.status !== 'requires_payment_method') return;
        begun.version = before.version;
      } catch (error) {
        if (!hasMovedOn(error)) visit.setAttempt({ ...begun, refusal: 'not_heard' });
        return;
      }
      visit.setAttempt(begun);
      await follow(begun, secret, provider.confirm({ client_secret: secret, card }));
    });

  // A reload, or a connection that was lost with the page: what came of the attempt is asked for.
  const isUnresolved =
    attempt !== null &&
    attempt.refusal === null &&
    intent !== undefined &&
    payment?.status === 'requires_payment_method';
  const onUnresolved = useEffectEvent(() => {
    if (attempt) void act((secret) => follow(attempt, secret, provider.read(secret)));
  });
  useEffect(() => {
    if (isUnresolved) onUnresolved();
  }, [isUnresolved]);

  const answerBank = (outcome: 'approved' | 'refused', isChange = false) =>
    act(async (secret) => {
      if (!attempt) return;
      await follow(attempt, secret, provider.authenticate({ client_secret: secret, outcome }));
      // The client's own wish is no refusal.
      if (isChange && visit.attempt()?.refusal === 'authentication_failed') visit.setAttempt(null);
    });

  return {
    step,
    amount: known.amount,
    caseSearch: known.caseSearch,
    otherPayment: payable.kind === 'other' ? payable.otherPayment : undefined,
    payment,
    // What can be shown is shown; a failed refresh behind it is tried again by itself.
    failure: step === 'loading' ? known.error : null,
    retry: () => {
      void Promise.all([refreshCase(), known.askAgain()]);
    },
    refusal: step === 'card' && !busy ? (attempt?.refusal ?? null) : null,
    busy,
    pay,
    forgetRefusal: () => {
      if (attempt?.refusal) visit.setAttempt(null);
    },
    answerBank: (outcome) => answerBank(outcome),
    takeAnotherCard: () => answerBank('refused', true),
    goOnHere: () => {
      if (paymentId !== undefined) visit.setAttempt({ paymentId, version: 0, refusal: null });
    },
  };
}

/** Maintenance refuses what is new; a payment that is under way may be finished. */
function letFinish(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'maintenance')) throw error;
}

/** It is paid, given up or being looked at: the payment itself tells how it stands. */
const hasMovedOn = (error: unknown) =>
  error instanceof ApiError &&
  ['already_paid', 'payment_settled', 'not_payable', 'payment_being_checked'].includes(error.code);

/** Asks until there is an answer, more and more slowly: a payment of unknown outcome is not given up. */
async function readUntilAnswered<T>(read: () => Promise<T>): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 10_000)) {
    try {
      return await read();
    } catch {
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
