import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useCaseStore } from '../../../api/case/case-store.ts';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';
import { useNavigate } from '../../../navigation/navigation.tsx';
import { isTooLateToCancel } from '../cancel/cancel-payment.tsx';
import { hasSameDetails, type OtherPaymentDetails } from './other-payment-entry.ts';

/**
 * Opens the details screen with a valid entry. If it differs from an unfinished payment, that payment is cancelled
 * first.
 * @param earlier the last entered payment, if it is unfinished, or its idempotency key if it has ended: the same
 *   entry is then a new payment
 * @param onEntered runs once the entry has been stored
 */
export function useEnterOtherPayment(
  { unfinished, finishedKey }: { unfinished: OtherPayment | null; finishedKey: string | null },
  onEntered: () => void,
) {
  const { call } = useServices();
  const caseState = useCaseStore();
  const navigate = useNavigate();
  const refreshCase = useRefreshCase();
  const { isBusy, failure, run, reset } = useAction((error) => {
    if (!isTooLateToCancel(error)) return;
    // The unfinished payment has ended, so this entry is for a new one.
    if (unfinished) caseState.forgetOtherPayment(unfinished.idempotencyKey);
    void refreshCase();
  });

  const replaceWith = async (details: OtherPaymentDetails) => {
    const paymentId = caseState.get().otherPayment?.paymentId;
    if (unfinished?.paymentId && paymentId === unfinished.paymentId) {
      await call('POST /payments/{id}/cancel', { params: { id: unfinished.paymentId } });
      void refreshCase();
    }
    caseState.enterOtherPayment({
      ...details,
      idempotencyKey: crypto.randomUUID(),
      confirmed: null,
      paymentId: null,
    });
  };

  const enter = (details: OtherPaymentDetails) =>
    run(async () => {
      const stored = caseState.get().otherPayment;
      const isOver = stored !== null && stored.idempotencyKey === finishedKey;
      if (!stored || isOver || !hasSameDetails(stored, details)) await replaceWith(details);
      onEntered();
      await navigate('/payment-details');
    });
  return { enter, isBusy, failure, clearFailure: reset };
}
