import { Link } from '@tanstack/react-router';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { buttonClass } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import notices from '../frame/payment-notices.module.css';
import styles from './payment-under-review.module.css';

/** Shown while the firm reviews a payment: the client must not pay again and does not need to do anything. */
export function PaymentUnderReview() {
  const phone = useServices().config.firm?.phone;
  return (
    <div className={notices.notice}>
      <PageHeading>We’re reviewing your payment</PageHeading>
      <Alert tone="attention" title="Please don’t pay again.">
        <p>
          Something about this payment needs checking. We have been notified and will contact you. Any money
          you have paid is not lost.
        </p>
      </Alert>
      {phone && (
        <p>
          You can also call us on <PhoneLink phone={phone} />, the number you already have.
        </p>
      )}
      <div className={styles.ways}>
        <Link to="/payments" className={buttonClass({})}>
          See your payments
        </Link>
        <Link to="/" className={buttonClass({ look: 'plain' })}>
          Back to your case
        </Link>
      </div>
    </div>
  );
}
