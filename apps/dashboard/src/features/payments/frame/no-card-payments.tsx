import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { useServices } from '../../../api/services/services.ts';

/** Says how to pay where no card payments are accepted. */
export function NoCardPayments({ className }: { className?: string | undefined }) {
  const phone = useServices().config.firm?.phone;
  return (
    <p className={className}>
      You can’t pay by card here at the moment. Call us
      {phone && (
        <>
          {' '}
          on <PhoneLink phone={phone} />
        </>
      )}{' '}
      and we’ll tell you how to pay.
    </p>
  );
}
