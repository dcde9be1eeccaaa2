import { useStore } from '@keyturn/browser/store/create-store.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useCaseState } from '../../../api/case/case-store.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';
import type { Payable } from '../frame/payable.ts';
import { createPaymentController, type PaymentController } from './payment-controller.ts';
import { declineOf, failureOf, isBusy, type PaymentSnapshot, stepOf } from './payment-machine.ts';
import { createBrowserProvider } from './payment-provider.ts';
import { createPaymentServer } from './payment-server.ts';
import type { PaymentStep } from './payment-step.ts';
import { usePaymentSnapshot } from './use-payment-snapshot.ts';

export interface PaymentOnScreen
  extends Pick<PaymentSnapshot, 'amount' | 'caseSearch' | 'payment' | 'intent'>,
    Omit<PaymentController, 'state' | 'subscribe' | 'connect' | 'setSnapshot'> {
  step: PaymentStep;
  /** For a payment that the client entered themselves. */
  otherPayment: OtherPayment | undefined;
  /** Why there is nothing to show. */
  failure: Error | null;
  /** Why the last attempt of this tab failed; null once a new one has started. */
  decline: ReturnType<typeof declineOf>;
  /** An action is in progress: further presses have no effect. */
  busy: boolean;
}

/**
 * The payment in its current state, with what the client can do about it. The server decides what is shown, so a
 * reload, the back button, a second tab and the joint client all see the same state; the bank's check and the decline
 * appear only in the tab that the card was given in.
 */
export function usePayment(payable: Payable): PaymentOnScreen {
  const { call, config, paymentInProgress } = useServices();
  const tabStore = usePaymentTabStore();
  const queries = useQueryClient();
  const { generation } = useCaseState();
  const refreshCase = useRefreshCase();
  const [{ server, controller }] = useState(() => {
    const server = createPaymentServer({ payable, generation, call, queries, refreshCase });
    const provider = createBrowserProvider(config);
    return {
      server,
      controller: createPaymentController({ server, provider, tabStore, paymentInProgress, events: window }),
    };
  });
  const state = useStore({ get: controller.state, subscribe: controller.subscribe });
  const { snapshot, retryStart } = usePaymentSnapshot(payable, server, state.awaitedStatus !== null);
  // Before the browser paints, so that a change of the server's never shows an outdated screen.
  useLayoutEffect(() => controller.setSnapshot(snapshot));
  useEffect(() => controller.connect(), [controller]);

  const { amount, caseSearch, payment, intent } = state.server;
  return {
    ...controller,
    step: stepOf(state),
    amount,
    caseSearch,
    otherPayment: payable.kind === 'other' ? payable.otherPayment : undefined,
    payment,
    intent,
    failure: failureOf(state),
    decline: declineOf(state),
    busy: isBusy(state),
    retry: () => {
      retryStart();
      controller.retry();
    },
  };
}
