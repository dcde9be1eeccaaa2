import { Alert } from '@keyturn/ui/base/alert.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { useServices } from '../../../api/services/services.ts';
import styles from '../frame/payment-notices.module.css';
import { NoticeLinks } from '../frame/payment-notices.tsx';

/** Shown while the firm reviews a payment: the client must not pay again and does not need to do anything. */
export function PaymentUnderReview() {
  const phone = useServices().config.firm?.phone;
  return (
    <div className={styles.notice}>
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
      <NoticeLinks />
    </div>
  );
}
