import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import formStyles from '../shared/payment-form.module.css';

export interface StripeUnavailableProps {
  /** What the client waits for, as a sentence begins. */
  what: string;
  arrival: 'slow' | 'failed';
  onRetry(): void;
}

/** What comes from Stripe does not: why that may be, and the ways on. Nothing has been sent. */
export function StripeUnavailable({ what, arrival, onRetry }: StripeUnavailableProps) {
  const phone = useServices().config.firm?.phone;
  const isSlow = arrival === 'slow';
  return (
    <div role="status">
      <Alert
        tone="attention"
        className={formStyles.formAlert}
        title={isSlow ? `${what} is taking a long time.` : `${what} could not be loaded.`}
        action={
          <Button look="quiet" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        <p>
          You have not been charged.{' '}
          {isSlow
            ? 'You can wait for it, or try again.'
            : 'Your connection may be down, or something in your browser may block js.stripe.com, which takes the card for us.'}
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
