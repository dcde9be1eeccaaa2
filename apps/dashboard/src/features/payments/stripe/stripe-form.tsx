import type { PaymentIntent } from '@keyturn/contract';
import { type FormEvent, useRef } from 'react';
import { confirmAtStripe } from '../../../api/payments/stripe-provider.ts';
import { Button } from '../../../ui/base/button.tsx';
import { classNames } from '../../../ui/base/class-names.ts';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import type { PaymentInUse } from '../payment-screen/use-payment.ts';
import { RefusalAlert } from '../shared/refusal-alert.tsx';
import styles from './stripe-form.module.css';
import { StripeUnavailable } from './stripe-unavailable.tsx';
import { usePaymentElement } from './use-payment-element.ts';
import { useReloadOnSignOut } from './use-reload-on-sign-out.ts';

export interface StripeFormProps {
  payment: PaymentInUse;
  intent: PaymentIntent;
  /** Whose card it is, as was said before. */
  payerName: string;
}

/** The card form of Stripe: its fields are Stripe's own, in Stripe's frame. What is typed there never comes here. */
export function StripeForm({ payment, intent, payerName }: StripeFormProps) {
  const { container, loadState, retry, ready } = usePaymentElement(intent);
  const checking = useRef(false);
  useReloadOnSignOut(payment.busy);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready || payment.busy || checking.current) return;
    checking.current = true;
    try {
      payment.clearRefusal();
      // What is wrong is said at its field, inside of the frame.
      const { error } = await ready.elements.submit();
      if (error) return;
      await payment.pay(() => confirmAtStripe(ready.stripe, ready.elements, payerName));
    } finally {
      checking.current = false;
    }
  };

  const { refusal } = payment;
  const isHere = loadState === 'ready';
  return (
    <form onSubmit={submit} noValidate data-never-recorded>
      {refusal !== null && <RefusalAlert code={refusal} />}
      {(loadState === 'failed' || loadState === 'slow') && (
        <StripeUnavailable what="The card form" arrival={loadState} onRetry={retry} />
      )}
      <div className={classNames(loadState !== 'failed' && styles.card)} aria-busy={!isHere}>
        {!isHere && loadState !== 'failed' && <Skeleton height={230} />}
        <div ref={container} className={classNames(styles.element, !isHere && styles.hidden)} />
      </div>
      {loadState !== 'failed' && (
        <Button
          type="submit"
          size="full"
          disabled={!isHere}
          busy={payment.busy}
          busyText="Paying, please wait"
        >
          Pay {formatMoney(payment.amount)}
        </Button>
      )}
    </form>
  );
}
