import type { PaymentStatus } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useEffect, useRef } from 'react';
import { type Payer, payerOf } from '../../../api/payments/started-payment.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import formStyles from '../frame/payment-form.module.css';
import styles from './paid-elsewhere.module.css';
import type { PaymentOnScreen } from './use-payment.ts';

/**
 * The status of a payment that the joint client has started, or that is being made on another page. The screen changes as
 * soon as the status does.
 */
export function PaidElsewhere({ payment, payer }: { payment: PaymentOnScreen; payer: Payer }) {
  const box = useRef<HTMLDivElement>(null);
  // It replaces what the client was doing, so reading continues at its heading.
  useEffect(() => box.current?.closest('main')?.querySelector('h1')?.focus(), []);
  const status = payment.payment?.status;
  const words = payment.payment?.method === 'bank' ? bankWords(payer, status) : cardWords(payer, status);
  return (
    <div ref={box}>
      <Alert tone="information" className={formStyles.formAlert} title={words.title}>
        <p role="status">{words.text}</p>
      </Alert>
      {status === 'requires_action' && payer.kind === 'me' && (
        <Button size="full" className={styles.continueHere} onClick={payment.continueHere}>
          Continue here
        </Button>
      )}
    </div>
  );
}

/** The client whose payment it is. */
export function usePayer({ payment }: PaymentOnScreen): Payer {
  return payerOf(payment?.payer.client, useClient().data?.id);
}

export function paidElsewhereHeading(
  payer: Payer,
  status: PaymentStatus | undefined,
): { heading: string; lead: string } {
  if (payer.kind !== 'other') {
    return { heading: 'You are paying for this on another page', lead: 'Please do not pay twice.' };
  }
  const { firstName } = payer;
  return {
    heading:
      status === 'requires_payment_method'
        ? `${firstName} has started to pay for this`
        : `${firstName} is paying for this now`,
    lead:
      status === 'processing'
        ? 'You don’t need to do anything.'
        : 'You don’t need to do anything, unless you’d rather pay it yourself.',
  };
}

/** What a client should know before they cancel a payment that was started elsewhere. */
export const cancelWarning = (payer: Payer): string =>
  payer.kind === 'other'
    ? `${payer.firstName} started it and may be paying right now. Cancelling stops that too, and ${payer.firstName} sees that you did.`
    : 'If you are confirming it on another page right now, cancelling stops that too.';

const cardWords = (payer: Payer, status: PaymentStatus | undefined) => ({
  title: statusTitle(payer, status),
  text: statusText(payer, status),
});

function bankWords(payer: Payer, status: PaymentStatus | undefined): { title: string; text: string } {
  const update = 'This page updates automatically.';
  switch (status) {
    case 'requires_action':
      return {
        title: 'The bank is waiting for an approval.',
        text:
          payer.kind === 'other'
            ? `${payer.firstName} can approve it at their bank. ${update}`
            : 'Approve it on your bank’s page, or continue here.',
      };
    case 'processing':
      return {
        title: 'The bank has approved it. We’re waiting for the money.',
        text: `It usually arrives within seconds, but it can take up to two hours. ${update}`,
      };
    default:
      return cardWords(payer, status);
  }
}

function statusTitle(payer: Payer, status: PaymentStatus | undefined): string {
  if (status === 'requires_payment_method' && payer.kind === 'other')
    return `${payer.firstName} has not paid yet.`;
  return status === 'requires_action'
    ? 'The bank needs a confirmation.'
    : 'The bank is confirming the payment.';
}

function statusText(payer: Payer, status: PaymentStatus | undefined): string {
  const update = 'This page updates automatically.';
  if (status === 'requires_payment_method') return `Nothing has been charged. ${update}`;
  if (status !== 'requires_action') return `It usually takes a few seconds. ${update}`;
  return payer.kind === 'other'
    ? `${payer.firstName} can confirm it on the page where they entered the card. ${update}`
    : 'Confirm it on the page where you entered your card, or continue here.';
}
