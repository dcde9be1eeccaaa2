import { formatMoney } from '@keyturn/format/money';
import { Button } from '@keyturn/ui/base/button.tsx';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { type FormEvent, useRef } from 'react';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import { confirmAtStripe } from '../../../api/payments/stripe-provider.ts';
import { DeclineAlert } from '../declines/decline-message.tsx';
import type { PaymentOnScreen } from '../payment-screen/use-payment.ts';
import styles from './stripe-form.module.css';
import { StripeUnavailable } from './stripe-unavailable.tsx';
import { usePaymentElement } from './use-payment-element.ts';
import { useReloadOnSignOut } from './use-reload-on-sign-out.ts';

export interface StripeFormProps {
  payment: PaymentOnScreen;
  intent: PayableIntent;
  /** The cardholder that the client named on the details screen. */
  payerName: string;
}

/** Stripe's card form. Its fields are in Stripe's frame, so card details never reach this page. */
export function StripeForm({ payment, intent, payerName }: StripeFormProps) {
  // A wallet holds the client’s own cards, so it cannot pay with the card of the person whom they named.
  const isOwnCard = payment.payment?.payer.own_card !== false;
  const { container, loadState, retry, ready } = usePaymentElement(intent, isOwnCard);
  const isValidating = useRef(false);
  useReloadOnSignOut(payment.busy);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready || payment.busy || isValidating.current) return;
    isValidating.current = true;
    try {
      payment.dismissDecline();
      // The frame itself reports invalid fields.
      const { error } = await ready.elements.submit();
      if (error) return;
      await payment.pay(() => confirmAtStripe(ready.stripe, ready.elements, payerName));
    } finally {
      isValidating.current = false;
    }
  };

  const { decline } = payment;
  const isReady = loadState === 'ready';
  return (
    <form onSubmit={submit} noValidate data-never-recorded>
      {decline !== null && <DeclineAlert decline={decline} />}
      {(loadState === 'failed' || loadState === 'slow') && (
        <StripeUnavailable what="The card form" arrival={loadState} onRetry={retry} />
      )}
      <div className={classNames(loadState !== 'failed' && styles.card)} aria-busy={!isReady}>
        {!isReady && loadState !== 'failed' && <Skeleton height={230} />}
        <div ref={container} className={classNames(styles.element, !isReady && styles.hidden)} />
      </div>
      {loadState !== 'failed' && (
        <Button
          type="submit"
          size="full"
          disabled={!isReady}
          busy={payment.busy}
          busyText="Paying, please wait"
        >
          Pay {formatMoney(payment.amount)}
        </Button>
      )}
    </form>
  );
}
