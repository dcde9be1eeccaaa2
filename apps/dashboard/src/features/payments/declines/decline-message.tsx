import { notCharged } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import type { AttemptDecline } from '../../../api/payments/payment-tab-store.ts';
import { useServices } from '../../../api/services/services.ts';
import formStyles from '../frame/payment-form.module.css';
import { declineWords } from './attempt-decline.ts';

/** Says above a payment form why the last attempt was declined, and what to do. */
export function DeclineAlert({ decline }: { decline: AttemptDecline }) {
  return (
    <Alert tone="danger" takesFocus className={formStyles.formAlert} title={declineWords(decline).cause}>
      <p>
        <DeclineRemedy decline={decline} />
      </p>
    </Alert>
  );
}

/** Says the same at a field of the card form, in one paragraph. */
export function DeclineMessage({ decline }: { decline: AttemptDecline }) {
  return (
    <>
      {declineWords(decline).cause} <DeclineRemedy decline={decline} />
    </>
  );
}

function DeclineRemedy({ decline }: { decline: AttemptDecline }) {
  const phone = useServices().config.firm?.phone;
  return (
    <>
      {notCharged(decline)} {declineWords(decline).remedy}
      {phone && (
        <>
          , or call us on <PhoneLink phone={phone} />
        </>
      )}
      .
    </>
  );
}
