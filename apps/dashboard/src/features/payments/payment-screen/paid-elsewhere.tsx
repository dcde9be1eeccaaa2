import { useEffect, useRef } from 'react';
import { useClient } from '../../../api/queries/use-client.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { type Payer, payerOf } from '../shared/payer.ts';
import formStyles from '../shared/payment-form.module.css';
import styles from './paid-elsewhere.module.css';
import type { PaymentInUse } from './use-payment.ts';

/** Who is paying on another page, and how it stands there. Goes by itself as soon as that changes. */
export function PaidElsewhere({ payment, payer }: { payment: PaymentInUse; payer: Payer }) {
  const box = useRef<HTMLDivElement>(null);
  // It comes in the place of what the client was doing: its heading is where to read on.
  useEffect(() => box.current?.closest('main')?.querySelector('h1')?.focus(), []);
  const isAsked = payment.payment?.status === 'requires_action';
  return (
    <div ref={box}>
      <Alert
        tone="information"
        className={formStyles.formAlert}
        title={isAsked ? 'The bank is asking for a confirmation.' : 'The bank is confirming the payment.'}
      >
        <p role="status">{standing(payer, isAsked)}</p>
      </Alert>
      {isAsked && payer.kind !== 'other' && (
        <Button size="full" className={styles.goOn} onClick={payment.continueHere}>
          {payer.kind === 'me' ? 'Go on here' : 'It is me: go on here'}
        </Button>
      )}
    </div>
  );
}

/** Who is paying now, as this client is told. */
export function usePayer({ payment }: PaymentInUse): Payer {
  const client = useClient().data;
  return payment && client ? payerOf(payment, client) : { kind: 'unknown' };
}

export function payingWords(payer: Payer): { heading: string; lead: string } {
  if (payer.kind === 'me') {
    return { heading: 'You are paying for this on another page', lead: 'Please do not pay twice.' };
  }
  if (payer.kind === 'other') {
    return { heading: `${payer.firstName} is paying for this now`, lead: 'You need not do anything.' };
  }
  return {
    heading: 'This is being paid for now',
    lead: 'By the other owner, or by you on another page. Please do not pay twice.',
  };
}

/** What whoever ends it from here should know. */
export const mayBePaying = (payer: Payer): string =>
  payer.kind === 'other'
    ? `${payer.firstName} may be confirming it at this moment: then that ends too.`
    : 'If it is being confirmed on another page at this moment, that ends too.';

function standing(payer: Payer, isAsked: boolean): string {
  const after = 'This page changes by itself.';
  if (!isAsked) return `It usually takes a few seconds. ${after}`;
  if (payer.kind === 'me') return 'Confirm it on the page where you gave the card, or go on here.';
  const whose =
    payer.kind === 'other' ? `where ${payer.firstName} gave the card` : 'where the card was given';
  return `It is confirmed on the page ${whose}. ${after}`;
}
