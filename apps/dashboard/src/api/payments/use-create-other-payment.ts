import type { PaymentIntent } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { OtherPayment } from '../case/case-store.ts';
import { useCaseState, useCaseStore } from '../case/case-store.ts';
import { useServices } from '../services/services.ts';
import { hasErrorCode } from './has-error-code.ts';
import { otherPaymentBody } from './payment-bodies.ts';
import { paymentQueryKeys } from './payment-queries.ts';

/**
 * Creates a confirmed payment for something else, or finds it if its idempotency key was used before, and remembers its
 * id as long as it is still the one to be paid.
 * @returns a function that throws ApiError
 */
export function useCreateOtherPayment(): (otherPayment: OtherPayment) => Promise<PaymentIntent> {
  const { call } = useServices();
  const caseState = useCaseStore();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  return async (otherPayment) => {
    const { confirmed, idempotencyKey } = otherPayment;
    if (!confirmed) throw new Error('An other payment must be confirmed before it is created');
    const change = (changed: Partial<OtherPayment>) => {
      const entered = caseState.get().otherPayment;
      if (entered?.idempotencyKey === idempotencyKey) caseState.enterOtherPayment({ ...entered, ...changed });
    };
    const intent = await call('POST /other-payments', {
      body: otherPaymentBody(otherPayment, confirmed),
      idempotencyKey,
    }).catch((error: unknown) => {
      // The provider has stopped this payment, so the next try is another one.
      if (hasErrorCode(error, 'payment_cancelled')) change({ idempotencyKey: crypto.randomUUID() });
      throw error;
    });
    queries.setQueryData(paymentQueryKeys.intent(generation, intent.payment_id), intent);
    change({ paymentId: intent.payment_id });
    return intent;
  };
}
