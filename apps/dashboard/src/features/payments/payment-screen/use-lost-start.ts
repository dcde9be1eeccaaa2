import { retryTransientErrors } from '@keyturn/browser/calls/api-error.ts';
import type { PaymentIntent } from '@keyturn/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { hasErrorCode } from '../../../api/payments/has-error-code.ts';
import { useCreateOtherPayment } from '../../../api/payments/use-create-other-payment.ts';

/**
 * Repeats the request that starts a payment for something else if its answer was lost, by a reload for example. The
 * idempotency key makes that the same payment.
 */
export function useLostStart(otherPayment: OtherPayment | null): { error: Error | null; retry(): void } {
  const lost = otherPayment?.confirmed && otherPayment.paymentId === null ? otherPayment : null;
  const { mutate, error, failureReason, isError } = useMutation<PaymentIntent, Error, OtherPayment>({
    mutationFn: useCreateOtherPayment(),
    retry: (failures, failure) => isBeingChecked(failure) || retryTransientErrors(failures, failure),
    retryDelay: (failures, failure) => (isBeingChecked(failure) ? 5_000 : 1_000 * 2 ** failures),
  });
  const start = useEffectEvent(() => {
    if (lost) mutate(lost);
  });
  const lostKey = lost?.idempotencyKey;
  useEffect(() => {
    if (lostKey !== undefined) start();
  }, [lostKey]);
  return {
    error: lost ? (error ?? failureReason) : null,
    retry: () => {
      if (lost && isError) mutate(lost);
    },
  };
}

const isBeingChecked = (error: Error) => hasErrorCode(error, 'payment_being_checked');
