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
  /** The search that it is for. */
  caseSearch: CaseSearch | undefined;
}

/**
 * Goes on with a payment that was not finished. An other payment can be gone on with only where its key is kept;
 * elsewhere it is given up and entered anew with the same content, so that never two of it are open.
 */
export function ContinuePayment({ payment, caseSearch }: ContinuePaymentProps) {
  const { call } = useServices();
  const caseState = useCaseStore();
  const refreshCase = useRefreshCase();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  // The firm has taken the search back meanwhile: what is left is to cancel.
  if (payment.kind === 'search' && !caseSearch?.payable) return null;

  const enterAnew = async () => {
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
  const goOn = async () => {
    setBusy(true);
    setFailure(null);
    try {
      if (caseSearch) {
        caseState.selectCaseSearch(caseSearch.id);
        return await navigate({ to: '/payment' });
      }
      if (caseState.get().otherPayment?.paymentId === payment.id) return await navigate({ to: '/payment' });
      await enterAnew();
      await navigate({ to: '/payment-details' });
    } catch (error) {
      setFailure(error);
      // It has moved on meanwhile: the list then says where to.
      if (isTooLateToCancel(error)) void refreshCase();
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="quiet" size="small" busy={busy} onClick={goOn}>
        Continue
        <VisuallyHidden>
          {' '}
          with {formatMoney(payment.amount)} for {payment.description}
        </VisuallyHidden>
      </Button>
      {failure !== null && (
        <Alert tone="danger" takesFocus title={messageOf(failure)}>
          <p>Nothing has been charged by pressing this.</p>
        </Alert>
      )}
    </>
  );
}

const categoryOf = ({ category }: Payment): OtherPaymentCategory =>
  otherPaymentCategories.find((known) => known === category) ?? 'other';
