import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { Payment } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useEffect, useRef, useState } from 'react';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';

export interface CancelPaymentProps {
  payment: Payment;
  /** Names the payment for screen readers, where nothing near the button does. */
  namesPayment?: boolean;
  /** What else the client should know before they cancel, in a sentence. */
  warning?: string;
  /** Texts for a cancellation that is a step of another action. They replace the usual texts, with the warning. */
  words?: CancelWords;
  /** Runs after the payment was cancelled. The caller moves the focus, as this button may disappear. */
  onCancelled(): void;
}

export interface CancelWords {
  /** The button that opens the dialog. */
  open: string;
  title: string;
  explanation: string;
  keep: string;
  cancel: string;
}

/** Cancels an unfinished payment after the client has confirmed it in a dialog. */
export function CancelPayment({
  payment,
  namesPayment = false,
  warning = '',
  words = cancelWords(payment, warning),
  onCancelled,
}: CancelPaymentProps) {
  const { open, isBusy, failure, openDialog, cancel, dismiss, close } = useCancelDialog(payment, onCancelled);
  const isTooLate = isTooLateToCancel(failure);

  return (
    <>
      <Button look="plain" onClick={openDialog}>
        {words.open}
        {namesPayment && (
          <VisuallyHidden>
            {' '}
            of {formatMoney(payment.amount)} for {payment.description}
          </VisuallyHidden>
        )}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={words.title}
        actions={
          isTooLate ? (
            <Button onClick={dismiss}>See its status</Button>
          ) : (
            <>
              <Button look="quiet" onClick={dismiss}>
                {words.keep}
              </Button>
              <Button busy={isBusy} busyText="Cancelling" onClick={cancel}>
                {words.cancel}
              </Button>
            </>
          )
        }
      >
        {failure === null ? (
          <p>{words.explanation}</p>
        ) : (
          <Alert tone="danger" takesFocus title={messageOf(failure)}>
            <p>{isTooLate ? whyTooLate(failure) : whyNotYet(failure)}</p>
          </Alert>
        )}
      </Dialog>
    </>
  );
}

const cancelWords = ({ amount, description }: Payment, warning: string): CancelWords => ({
  open: 'Cancel this payment',
  title: 'Cancel this payment?',
  explanation: `${formatMoney(amount)} for ${description}. Nothing has been charged, and you can pay later. ${warning}`,
  keep: 'Keep it',
  cancel: 'Cancel this payment',
});

/** The state of the dialog, and the call that cancels the payment. */
function useCancelDialog(payment: Payment, onCancelled: () => void) {
  const { call } = useServices();
  const refreshCase = useRefreshCase();
  const [open, setOpen] = useState(false);
  const { isBusy, failure, run, reset } = useAction(() => void refreshCase());
  const isCancelled = useRef(false);
  const isReported = useRef(false);
  const report = useRef(() => {});
  report.current = () => {
    if (!isCancelled.current || isReported.current) return;
    isReported.current = true;
    onCancelled();
    void refreshCase();
  };
  const isMounted = useRef(false);
  // A live update can remove the dialog before it closes.
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      report.current();
    };
  }, []);

  const openDialog = () => {
    reset();
    setOpen(true);
  };
  const cancel = () =>
    run(async () => {
      await call('POST /payments/{id}/cancel', { params: { id: payment.id } });
      isCancelled.current = true;
      setOpen(false);
      if (!isMounted.current) report.current();
    });

  // The dialog returns the focus first, so that the caller can move it.
  const close = () => {
    setOpen(false);
    report.current();
  };

  return { open, isBusy, failure, openDialog, cancel, dismiss: () => setOpen(false), close };
}

/** Whether a payment can no longer be cancelled, because it has been paid, may have been, or was cancelled before. */
export const isTooLateToCancel = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'payment_settled' ||
    error.code === 'payment_being_checked' ||
    error.code === 'payment_under_review');

/** Without a response from the server, or after its failure, the payment may have been cancelled. */
export const whyNotYet = (error: unknown): string =>
  error instanceof ApiError && error.status < 500
    ? 'It is not cancelled yet, and nothing has been charged.'
    : 'We don’t know yet whether it was cancelled. You can try again.';

/** For a payment under review only the firm can say whether money has moved. */
const whyTooLate = (error: unknown): string =>
  error instanceof ApiError && error.code === 'payment_under_review'
    ? 'Any money you have paid is not lost.'
    : 'It has been paid or cancelled in the meantime, or your bank is confirming it.';
