import { useEffect, useRef } from 'react';
import { useClient } from '../../../api/queries/use-client.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { type Payer, payerOf } from '../shared/payer.ts';
import formStyles from '../shared/payment-form.module.css';
import styles from './paid-elsewhere.module.css';
import type { PaymentOnScreen } from './use-payment.ts';

/** The status of a payment that is being made on another page. The screen changes as soon as the status does. */
export function PaidElsewhere({ payment, payer }: { payment: PaymentOnScreen; payer: Payer }) {
  const box = useRef<HTMLDivElement>(null);
  // It replaces what the client was doing, so reading continues at its heading.
  useEffect(() => box.current?.closest('main')?.querySelector('h1')?.focus(), []);
  const needsConfirmation = payment.payment?.status === 'requires_action';
  return (
    <div ref={box}>
      <Alert
        tone="information"
        className={formStyles.formAlert}
        title={needsConfirmation ? 'The bank needs a confirmation.' : 'The bank is confirming the payment.'}
      >
        <p role="status">{statusText(payer, needsConfirmation)}</p>
      </Alert>
      {needsConfirmation && payer.kind !== 'other' && (
        <Button size="full" className={styles.continueHere} onClick={payment.continueHere}>
          {payer.kind === 'me' ? 'Continue here' : 'That’s me, continue here'}
        </Button>
      )}
    </div>
  );
}

/** The client who is paying, as far as this client may know. */
export function usePayer({ payment }: PaymentOnScreen): Payer {
  const client = useClient().data;
  return payment && client ? payerOf(payment, client) : { kind: 'unknown' };
}

export function paidElsewhereHeading(payer: Payer): { heading: string; lead: string } {
  if (payer.kind === 'me') {
    return { heading: 'You are paying for this on another page', lead: 'Please do not pay twice.' };
  }
  if (payer.kind === 'other') {
    return { heading: `${payer.firstName} is paying for this now`, lead: 'You don’t need to do anything.' };
  }
  return {
    heading: 'Someone is paying for this now',
    lead: 'It may be the other owner, or you on another page. Please do not pay twice.',
  };
}

/** What a client should know before they cancel a payment that is being made elsewhere. */
export const cancelWarning = (payer: Payer): string =>
  payer.kind === 'other'
    ? `${payer.firstName} may be confirming it right now. Cancelling stops that too.`
    : 'If it is being confirmed on another page right now, cancelling stops that too.';

function statusText(payer: Payer, needsConfirmation: boolean): string {
  const update = 'This page updates automatically.';
  if (!needsConfirmation) return `It usually takes a few seconds. ${update}`;
  if (payer.kind === 'me') return 'Confirm it on the page where you entered your card, or continue here.';
  return payer.kind === 'other'
    ? `${payer.firstName} can confirm it on the page where they entered the card. ${update}`
    : `It can be confirmed on the page where the card was entered. ${update}`;
}
