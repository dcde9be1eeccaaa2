import {
  type CaseSearch,
  type OtherPaymentCategory,
  otherPaymentCategories,
  type Payment,
} from '@keyturn/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaseStore } from '../../../api/case/use-case-state.ts';
import { messageOf } from '../../../api/client/api-error.ts';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { isTooLateToCancel } from '../shared/cancel-payment.tsx';

export interface ContinuePaymentProps {
  payment: Payment;
  /** The search that the payment is for. */
  caseSearch: CaseSearch | undefined;
}

/**
 * Continues an unfinished payment. An other payment can be continued only in the browser that has its idempotency key;
 * elsewhere it is cancelled and entered again with the same content, so that two of it are never open.
 */
export function ContinuePayment({ payment, caseSearch }: ContinuePaymentProps) {
  const { call } = useServices();
  const caseState = useCaseStore();
  const refreshCase = useRefreshCase();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  // The firm has withdrawn the search, so the payment can only be cancelled.
  if (payment.kind === 'search' && !caseSearch?.payable) return null;

  const enterAgain = async () => {
    await call('POST /payments/{id}/cancel', { params: { id: payment.id } });
    caseState.enterOtherPayment({
      category: categoryOf(payment),
      amount: payment.amount,
      reference: payment.reference,
      matterId: payment.matter_id,
      idempotencyKey: crypto.randomUUID(),
      confirmed: null,
      paymentId: null,
    });
    void refreshCase();
  };
  const continuePayment = async () => {
    setBusy(true);
    setFailure(null);
    try {
      if (caseSearch) {
        caseState.selectCaseSearch(caseSearch.id);
        return await navigate({ to: '/payment' });
      }
      if (caseState.get().otherPayment?.paymentId === payment.id) return await navigate({ to: '/payment' });
      await enterAgain();
      await navigate({ to: '/payment-details' });
    } catch (error) {
      setFailure(error);
      // Its status has changed, and the refreshed list shows it.
      if (isTooLateToCancel(error)) void refreshCase();
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="quiet" size="small" busy={busy} onClick={continuePayment}>
        Continue
        <VisuallyHidden>
          {' '}
          with {formatMoney(payment.amount)} for {payment.description}
        </VisuallyHidden>
      </Button>
      {failure !== null && (
        <Alert tone="danger" takesFocus title={messageOf(failure)}>
          <p>You have not been charged.</p>
        </Alert>
      )}
    </>
  );
}

const categoryOf = ({ category }: Payment): OtherPaymentCategory =>
  otherPaymentCategories.find((known) => known === category) ?? 'other';
