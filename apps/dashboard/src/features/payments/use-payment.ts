import {
  type CaseSearch,
  cardRefusal,
  type Payment,
  type PaymentIntent,
  type PaymentStatus,
} from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { OtherPayment } from '../../api/case-state.ts';
import { queryKeys, useRefreshCase } from '../../api/queries.ts';
import { createSandboxProvider, outcomeIsUnknown } from '../../api/sandbox-provider.ts';
import { useServices } from '../../api/services.ts';
import { useCaseState, useCaseStore } from '../../api/use-case-state.ts';
import type { Card } from './card-input.ts';
import { bodyOf, intentKey } from './payment-intents.ts';
import { isSettled } from './payment-state.ts';
import { type PaymentStep, stepOf } from './payment-step.ts';
import { usePaymentById } from './use-payment-by-id.ts';

/** What is to be paid: a search of the case, or what the client has entered for something else. */
export type Payable =
  | { kind: 'search'; caseSearchId: string }
  | { kind: 'other'; otherPayment: OtherPayment };

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
  /** The last refusal of a card, in words for the client; null after a new attempt has begun. */
  refusal: string | null;
  /** A press on Pay is under way: another one does nothing. */
  busy: boolean;
  pay(card: Card): Promise<void>;
  /** What the client answers to the bank's own check. */
  answerBank(outcome: 'approved' | 'refused'): Promise<void>;
}

/**
 * A payment as it really stands: the server's word decides what is shown, whatever this page did before. A reload,
 * the way back, a second tab or a joint owner's payment lead to the same step.
 */
export function usePayment(payable: Payable): PaymentInUse {
  const { config, paymentUnderWay } = useServices();
  const refreshCase = useRefreshCase();
  const provider = useMemo(() => createSandboxProvider(config.api_base_url), [config.api_base_url]);
  const [busy, setBusy] = useState(false);
  /** What the provider told this page and the server has yet to hear; `unknown`: its answer was lost. */
  const [awaited, setAwaited] = useState<PaymentStatus | 'unknown' | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const pressed = useRef(false);

  const known = useKnownPayment(payable, awaited !== null);
  const { payment, intent } = known;
  const step = stepOf({
    payable: known.payable,
    status: known.status,
    hasPayment: payment !== undefined,
    hasIntent: intent !== undefined,
    checking: known.isBeingChecked || (awaited !== null && awaited !== payment?.status),
  });

  // The answer that everyone waits for has come: leave the waiting, and let the rest of the dashboard know.
  const settled = step === 'paid' || step === 'gone';
  const onSettled = useEffectEvent(() => {
    setAwaited(null);
    void refreshCase();
  });
  useEffect(() => {
    if (settled) onSettled();
  }, [settled]);
  useEffect(() => {
    if (awaited !== null && payment?.status === awaited) setAwaited(null);
  }, [awaited, payment?.status]);

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

  /** One action at a time, and whatever comes of it ends in what the provider says of the intent. */
  const act = async (action: (secret: string) => ReturnType<typeof provider.read>) => {
    if (!intent || pressed.current) return;
    pressed.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      const after = await action(intent.client_secret).catch(async (error: unknown) => {
        if (!outcomeIsUnknown(error)) throw error;
        // The lost answer may have been a yes. Ask before anything else is offered.
        setAwaited('unknown');
        return readUntilAnswered(() => provider.read(intent.client_secret));
      });
      setAwaited(after.status);
      if (after.last_error && after.status === 'requires_payment_method') {
        setRefusal(cardRefusal(after.last_error.code, config.firm?.phone));
      } else if (after.status === 'requires_payment_method') {
        setRefusal('We did not hear back in time. You have not been charged. Please try again.');
      }
    } catch (error) {
      setAwaited(null);
      setRefusal(
        cardRefusal(error instanceof Error && 'code' in error ? String(error.code) : '', config.firm?.phone),
      );
    } finally {
      await known.askAgain();
      pressed.current = false;
      setBusy(false);
    }
  };

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
    refusal: refusal ?? (payment?.failure && step === 'card' ? payment.failure.message : null),
    busy,
    pay: (card) => act((secret) => provider.confirm({ client_secret: secret, card })),
    answerBank: (outcome) => act((secret) => provider.authenticate({ client_secret: secret, outcome })),
  };
}

/** What the server says of a payment of either kind, asked again and again. */
interface KnownPayment {
  payable: boolean | undefined;
  status: PaymentStatus | undefined;
  amount: number;
  caseSearch: CaseSearch | undefined;
  payment: Payment | undefined;
  intent: PaymentIntent | undefined;
  /** The server does not know whether money has moved, and is finding out. */
  isBeingChecked: boolean;
  error: Error | null;
  askAgain(): Promise<void>;
}

/** @param isAwaited an answer about money is awaited: asks more often */
function useKnownPayment(payable: Payable, isAwaited: boolean): KnownPayment {
  const { call } = useServices();
  const caseState = useCaseStore();
  const { generation } = useCaseState();
  const caseSearchId = payable.kind === 'search' ? payable.caseSearchId : null;
  const otherPayment = payable.kind === 'other' ? payable.otherPayment : null;

  const caseSearchQuery = useQuery({
    queryKey: [...queryKeys.caseSearches(generation), caseSearchId],
    queryFn: ({ signal }) => call('GET /case-searches/{id}', { params: { id: caseSearchId ?? '' }, signal }),
    enabled: caseSearchId !== null,
    refetchInterval: isAwaited ? 1_000 : 5_000,
    staleTime: 0,
  });
  // As it stood on an earlier visit it may have no payment yet, or one that was given up since.
  const caseSearch = caseSearchQuery.isFetchedAfterMount ? caseSearchQuery.data : undefined;
  const paymentId = otherPayment ? otherPayment.paymentId : (caseSearch?.payment?.id ?? null);
  const paymentQuery = usePaymentById(paymentId, isAwaited);
  const payment = paymentQuery.data;
  const status =
    payment?.status ?? (otherPayment ? assumedStatus(otherPayment) : caseSearch?.payment?.status);
  const canBePaid = otherPayment ? !(status && isSettled(status)) : caseSearch?.payable;

  // Asking for an intent starts a payment where there is none: only for one that was confirmed and is still open.
  const isOpen = status !== undefined && !isSettled(status);
  const isKnownOpen = otherPayment ? otherPayment.paymentId === null || payment !== undefined : true;
  const intentQuery = useQuery({
    queryKey: intentKey(generation, otherPayment?.idempotencyKey ?? caseSearchId ?? ''),
    queryFn: ({ signal }) =>
      otherPayment?.confirmed
        ? call('POST /other-payments', {
            body: bodyOf(otherPayment, otherPayment.confirmed),
            idempotencyKey: otherPayment.idempotencyKey,
            signal,
          })
        : call('POST /case-searches/{id}/payments', { params: { id: caseSearchId ?? '' }, signal }),
    enabled: canBePaid === true && isOpen && isKnownOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (isCheck(state.error) ? 5_000 : false),
  });
  const intent = intentQuery.data;

  // The first answer that names an other payment: from now on it can be read by its id.
  const namedId = otherPayment && otherPayment.paymentId === null ? (intent?.payment_id ?? null) : null;
  const onNamed = useEffectEvent((id: string) => {
    const entered = caseState.get().otherPayment;
    if (entered && entered.idempotencyKey === otherPayment?.idempotencyKey)
      caseState.enterOtherPayment({ ...entered, paymentId: id });
  });
  useEffect(() => {
    if (namedId !== null) onNamed(namedId);
  }, [namedId]);

  return {
    payable: canBePaid,
    status,
    amount: payment?.amount ?? otherPayment?.amount ?? caseSearch?.price.gross ?? 0,
    caseSearch,
    payment,
    intent,
    isBeingChecked: isCheck(intentQuery.error),
    error: caseSearchQuery.error ?? paymentQuery.error ?? intentQuery.error,
    askAgain: async () => {
      await Promise.all([
        caseSearchId === null ? undefined : caseSearchQuery.refetch(),
        paymentId === null ? undefined : paymentQuery.refetch(),
        intentQuery.isError ? intentQuery.refetch() : undefined,
      ]);
    },
  };
}

/** What was confirmed waits for a card as far as is known here; what was not has not begun. */
const assumedStatus = ({ confirmed }: OtherPayment): PaymentStatus | undefined =>
  confirmed ? 'requires_payment_method' : undefined;

const isCheck = (error: Error | null) => error instanceof ApiError && error.code === 'payment_being_checked';

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
