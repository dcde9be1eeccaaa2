import {
  type CaseSearch,
  type OtherPaymentCategory,
  otherPaymentCategories,
  type Payment,
} from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Button } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { isPaymentConfirmation, type OtherPayment, useCaseStore } from '../../../api/case/case-store.ts';
import { payerOf } from '../../../api/payments/started-payment.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useNavigate } from '../../../navigation/navigation.tsx';
import { PayInstead } from '../cancel/pay-instead.tsx';

export interface ContinuePaymentProps {
  payment: Payment;
  /** The search that the payment is for. */
  caseSearch: CaseSearch | undefined;
}

/**
 * Continues an unfinished payment: the client’s own on any device, with what they answered for it. The joint client’s can
 * only be replaced, after a dialog that says whose it is.
 */
export function ContinuePayment({ payment, caseSearch }: ContinuePaymentProps) {
  const caseState = useCaseStore();
  const navigate = useNavigate();
  const clientId = useClient().data?.id;
  // The firm has withdrawn the search, so the payment can only be cancelled.
  if (payment.kind === 'search' && !caseSearch?.payable) return null;

  const select = (otherPayment: OtherPayment) => {
    if (caseSearch) caseState.selectCaseSearch(caseSearch.id);
    else if (caseState.get().otherPayment?.paymentId !== otherPayment.paymentId || !otherPayment.paymentId)
      caseState.enterOtherPayment(otherPayment);
  };
  const payer = payerOf(payment.payer.client, clientId);
  if (payer.kind === 'other') {
    const enterAgain = () => {
      select({ ...enteredAs(payment), confirmed: null, paymentId: null });
      void navigate('/payment-details');
    };
    return <PayInstead payment={payment} payerName={payer.firstName} namesPayment onCancelled={enterAgain} />;
  }
  const continuePayment = () => {
    select(enteredAs(payment));
    void navigate(payer.kind === 'me' ? '/payment' : '/payment-details');
  };
  return (
    <Button look="quiet" size="small" onClick={continuePayment}>
      Continue
      <VisuallyHidden>
        {' '}
        with {formatMoney(payment.amount)} for {payment.description}
      </VisuallyHidden>
    </Button>
  );
}

/** A payment in the form that this browser would have stored when it was entered here. */
export function enteredAs(payment: Payment): OtherPayment {
  const { own_card, name } = payment.payer;
  const confirmed: unknown = { own_card, payer_name: name, ...payment.confirmation };
  return {
    category: categoryOf(payment),
    amount: payment.amount,
    reference: payment.reference,
    matterId: payment.matter_id,
    bill: payment.bill,
    // Used only if the entry is changed, which makes it another payment.
    idempotencyKey: crypto.randomUUID(),
    confirmed: isPaymentConfirmation(confirmed) ? confirmed : null,
    paymentId: payment.id,
  };
}

const categoryOf = ({ category }: Payment): OtherPaymentCategory =>
  otherPaymentCategories.find((known) => known === category) ?? 'other';
