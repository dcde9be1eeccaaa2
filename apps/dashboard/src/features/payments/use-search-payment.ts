import {
  type CaseSearch,
  cardRefusal,
  type Payment,
  type PaymentIntent,
  type PaymentStatus,
} from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { queryKeys, useRefreshCase } from '../../api/queries.ts';
import { createSandboxProvider, outcomeIsUnknown } from '../../api/sandbox-provider.ts';
import { useCaseState, useServices } from '../../api/services.ts';
import type { Card } from './card-input.ts';

import { type PaymentStep, stepOf } from './payment-step.ts';

export interface SearchPayment {
  step: PaymentStep;
  caseSearch: CaseSearch | undefined;
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
 * The payment for a search, as it really stands: the server's word decides what is shown, whatever this page did
 * before. A reload, a second tab or a joint owner's payment lead to the same step.
 */
export function useSearchPayment(caseSearchId: string): SearchPayment {
  const { call, config } = useServices();
  const { generation } = useCaseState();
  const refreshCase = useRefreshCase();
  const provider = useMemo(() => createSandboxProvider(config.api_base_url), [config.api_base_url]);
  const [busy, setBusy] = useState(false);
  /** What the provider told this page and the server has yet to hear; `unknown`: its answer was lost. */
  const [awaited, setAwaited] = useState<PaymentStatus | 'unknown' | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const pressed = useRef(false);

  const caseSearchQuery = useQuery({
    queryKey: [...queryKeys.caseSearches(generation), caseSearchId],
    queryFn: ({ signal }) => call('GET /case-searches/{id}', { params: { id: caseSearchId }, signal }),
    refetchInterval: awaited ? 1_000 : 5_000,
    staleTime: 0,
  });
  const caseSearch = caseSearchQuery.data;
  const paymentId = caseSearch?.payment?.id;
  const paymentQuery = useQuery({
    queryKey: [...queryKeys.activeCase, generation, 'payments', paymentId],
    queryFn: ({ signal }) => call('GET /payments/{id}', { params: { id: paymentId ?? '' }, signal }),
    enabled: paymentId !== undefined,
    refetchInterval: ({ state }) => (awaited || state.data?.status === 'processing' ? 500 : 5_000),
    staleTime: 0,
  });
  const payment = paymentQuery.data;
  const intentQuery = useQuery({
    queryKey: intentKey(generation, caseSearchId),
    queryFn: ({ signal }) =>
      call('POST /case-searches/{id}/payments', { params: { id: caseSearchId }, signal }),
    enabled: caseSearch?.payable === true && paymentId !== undefined && payment?.paid_at == null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const intent: PaymentIntent | undefined = intentQuery.data;

  const step = stepOf({
    caseSearch,
    payment,
    hasIntent: intent !== undefined,
    checking: awaited !== null && awaited !== payment?.status,
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

  const askAgain = async () => {
    await Promise.all([caseSearchQuery.refetch(), paymentId ? paymentQuery.refetch() : undefined]);
  };

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
      await askAgain();
      pressed.current = false;
      setBusy(false);
    }
  };

  return {
    step,
    caseSearch,
    payment,
    // What can be shown is shown; a failed refresh behind it is tried again by itself.
    failure: step === 'loading' ? (caseSearchQuery.error ?? paymentQuery.error ?? intentQuery.error) : null,
    retry: () => {
      void Promise.all([refreshCase(), intentQuery.isError ? intentQuery.refetch() : undefined]);
    },
    refusal: refusal ?? (payment?.failure && step === 'card' ? payment.failure.message : null),
    busy,
    pay: (card) => act((secret) => provider.confirm({ client_secret: secret, card })),
    answerBank: (outcome) => act((secret) => provider.authenticate({ client_secret: secret, outcome })),
  };
}

/** Where the open intent of a search is kept, in memory alone: it holds the client secret. */
export const intentKey = (generation: number, caseSearchId: string) =>
  // Not below the case: asking for an intent starts a payment, and no refresh of what is shown may do that.
  ['payment-intents', generation, caseSearchId] as const;

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
