import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { useServices } from '../../../api/services/services.ts';
import formStyles from '../frame/payment-form.module.css';

export interface StripeUnavailableProps {
  /** What is missing, as the subject of a sentence: "The card form". */
  what: string;
  arrival: 'slow' | 'failed';
  onRetry(): void;
}

/** Shown when something from Stripe does not load: possible reasons, and what the client can do. */
export function StripeUnavailable({ what, arrival, onRetry }: StripeUnavailableProps) {
  const phone = useServices().config.firm?.phone;
  const isSlow = arrival === 'slow';
  return (
    <div role="status">
      <Alert
        tone="attention"
        className={formStyles.formAlert}
        title={isSlow ? `${what} is taking a long time.` : `${what} could not be opened.`}
        action={
          <Button look="quiet" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        <p>
          You have not been charged.{' '}
          {isSlow
            ? 'You can wait, or try again.'
            : 'Your connection may be down, or something in your browser may block js.stripe.com, which processes cards for us.'}
          {phone && (
            <>
              {' '}
              You can also call us on <PhoneLink phone={phone} />.
            </>
          )}
        </p>
      </Alert>
    </div>
  );
}
