import { useServices } from '../../api/services.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PhoneLink } from '../../ui/phone-link.tsx';
import formStyles from './payment-form.module.css';

/** The card fields are Stripe's, and do not come: why that may be, and the ways on. Nothing has been sent. */
export function StripeAway({ arrival, onRetry }: { arrival: 'slow' | 'failed'; onRetry(): void }) {
  const phone = useServices().config.firm?.phone;
  const isSlow = arrival === 'slow';
  return (
    <div role="status">
      <Alert
        tone="attention"
        className={formStyles.formAlert}
        title={isSlow ? 'The card form is taking a long time.' : 'The card form could not be loaded.'}
        action={
          <Button look="quiet" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        <p>
          You have not been charged. It comes from our payment provider, Stripe.{' '}
          {isSlow
            ? 'You can wait for it, or try again.'
            : 'Your connection may be down, or something in your browser may block js.stripe.com.'}
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
