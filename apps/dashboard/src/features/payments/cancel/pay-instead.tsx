import type { Payment } from '@keyturn/contract';
import { CancelPayment } from './cancel-payment.tsx';

export interface PayInsteadProps {
  payment: Payment;
  /** The first name of the joint client whose payment it is. */
  payerName: string;
  namesPayment?: boolean;
  /** Runs after the joint client's payment was cancelled. */
  onCancelled(): void;
}

/** Cancels the joint client's unfinished payment, after a dialog that says whose it is, so that this client can pay. */
export function PayInstead({ payment, payerName, namesPayment = false, onCancelled }: PayInsteadProps) {
  return (
    <CancelPayment
      payment={payment}
      namesPayment={namesPayment}
      words={{
        open: 'Pay it yourself instead',
        title: `Stop ${payerName}’s payment?`,
        explanation: `${payerName} started this payment and may be paying right now. If you pay instead, we cancel ${payerName}’s payment first. Nothing is charged for it, and ${payerName} sees that you cancelled it. Then we ask about your card.`,
        keep: `Leave it to ${payerName}`,
        cancel: `Cancel ${payerName}’s payment`,
      }}
      onCancelled={onCancelled}
    />
  );
}
