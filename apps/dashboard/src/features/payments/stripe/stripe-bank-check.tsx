import type { PaymentIntent } from '@keyturn/contract';
import { authenticateAtStripe } from '../../../api/payments/stripe-provider.ts';
import { Button } from '../../../ui/base/button.tsx';
import styles from '../payment-screen/bank-check.module.css';
import { useClearedScreen } from '../payment-screen/use-cleared-screen.ts';
import type { PaymentInUse } from '../payment-screen/use-payment.ts';
import { StripeAway } from './stripe-away.tsx';
import { useStripe } from './use-stripe.ts';

/** The bank's own check (3-D Secure), gone on with after it was left: Stripe shows it over the page. */
export function StripeBankCheck({ payment, intent }: { payment: PaymentInUse; intent: PaymentIntent }) {
  const { stripe, arrival, retry } = useStripe(intent.publishable_key);
  useClearedScreen(payment.busy);
  return (
    <>
      {(arrival === 'failed' || arrival === 'slow') && (
        <StripeAway what="Your bank’s page" arrival={arrival} onRetry={retry} />
      )}
      <div className={styles.bank}>
        <Button
          size="full"
          disabled={!stripe}
          busy={payment.busy}
          busyText="Waiting for your bank"
          onClick={() => stripe && void payment.answerBank((secret) => authenticateAtStripe(stripe, secret))}
        >
          Continue to your bank
        </Button>
        {!payment.busy && (
          <Button look="plain" onClick={() => void payment.takeAnotherCard()}>
            Use another card
          </Button>
        )}
      </div>
    </>
  );
}
