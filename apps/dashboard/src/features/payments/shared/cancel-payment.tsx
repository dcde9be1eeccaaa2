import type { Payment } from '@keyturn/contract';
import { useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';

export interface CancelPaymentProps {
  payment: Payment;
  /** What it is for is said nowhere near the button. */
  saysWhat?: boolean;
  /** What else is to be known before, in a sentence. */
  warning?: string;
  /** It is given up. What shows it may go: where the reader is to look then is the caller's to say. */
  onCancelled(): void;
}

/** Gives up a payment that has not been made, once the client has said so twice. Only for an unfinished one. */
export function CancelPayment({ payment, saysWhat = false, warning = '', onCancelled }: CancelPaymentProps) {
  const { call } = useServices();
  const refreshCase = useRefreshCase();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isCanceled = useRef(false);
  const isTooLate = isTooLateToCancel(failure);

  const ask = () => {
    setFailure(null);
    setOpen(true);
  };
  const cancel = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await call('POST /payments/{id}/cancel', { params: { id: payment.id } });
      isCanceled.current = true;
      setOpen(false);
    } catch (error) {
      setFailure(error);
      void refreshCase();
    } finally {
      setBusy(false);
    }
  };

  // Once the dialog has given the focus back, it can be taken to what is said of it.
  const closed = () => {
    setOpen(false);
    if (!isCanceled.current) return;
    onCancelled();
    void refreshCase();
  };

  return (
    <>
      <Button look="plain" onClick={ask}>
        Cancel this payment
        {saysWhat && (
          <VisuallyHidden>
            {' '}
            of {formatMoney(payment.amount)} for {payment.description}
          </VisuallyHidden>
        )}
      </Button>
      <Dialog
        open={open}
        onClose={closed}
        title="Cancel this payment?"
        actions={
          isTooLate ? (
            <Button onClick={() => setOpen(false)}>See how it stands</Button>
          ) : (
            <>
              <Button look="quiet" onClick={() => setOpen(false)}>
                Keep it
              </Button>
              <Button busy={busy} busyText="Cancelling" onClick={cancel}>
                Cancel this payment
              </Button>
            </>
          )
        }
      >
        {failure === null ? (
          <p>
            {formatMoney(payment.amount)} for {payment.description}. Nothing has been charged, and you can pay
            it another time. {warning}
          </p>
        ) : (
          <Alert tone="danger" takesFocus title={messageOf(failure)}>
            <p>
              {isTooLate ? whyTooLate(failure) : 'It is not cancelled yet, and nothing has been charged.'}
            </p>
          </Alert>
        )}
      </Dialog>
    </>
  );
}

/** Paid, cancelled, or perhaps paid: nothing more can be taken back here. */
export const isTooLateToCancel = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'payment_settled' ||
    error.code === 'payment_being_checked' ||
    error.code === 'payment_under_review');

/** Nobody knows of a payment under review whether money has moved: the firm says so. */
const whyTooLate = (error: unknown): string =>
  error instanceof ApiError && error.code === 'payment_under_review'
    ? 'What you have paid is not lost.'
    : 'It has been paid, or your bank is confirming it, or it was cancelled meanwhile.';
