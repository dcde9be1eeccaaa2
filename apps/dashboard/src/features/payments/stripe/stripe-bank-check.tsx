import { Button } from '@keyturn/ui/base/button.tsx';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import { authenticateAtStripe } from '../../../api/payments/stripe-provider.ts';
import styles from '../frame/bank-check.module.css';
import type { PaymentOnScreen } from '../payment-screen/use-payment.ts';
import { StripeUnavailable } from './stripe-unavailable.tsx';
import { useReloadOnSignOut } from './use-reload-on-sign-out.ts';
import { useStripe } from './use-stripe.ts';

/** The bank's check (3-D Secure), resumed after the client left it. Stripe shows it over the page. */
export function StripeBankCheck({ payment, intent }: { payment: PaymentOnScreen; intent: PayableIntent }) {
  const { stripe, loadState, retry } = useStripe(intent.publishable_key);
  useReloadOnSignOut(payment.busy);
  return (
    <>
      {(loadState === 'failed' || loadState === 'slow') && (
        <StripeUnavailable what="Your bank’s page" arrival={loadState} onRetry={retry} />
      )}
      <div className={styles.bank}>
        <Button
          size="full"
          disabled={!stripe}
          busy={payment.busy}
          busyText="Waiting for your bank"
          onClick={() =>
            stripe && void payment.answerBankCheck((secret) => authenticateAtStripe(stripe, secret))
          }
        >
          Continue to your bank
        </Button>
        {!payment.busy && (
          <Button look="plain" onClick={() => void payment.changeCard()}>
            Use another card
          </Button>
        )}
      </div>
    </>
  );
}
