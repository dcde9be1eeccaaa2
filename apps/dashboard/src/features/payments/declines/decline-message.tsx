import { notCharged } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import type { AttemptDecline } from '../../../api/payments/payment-tab-store.ts';
import { useOnlineSince } from '../../../api/queries/use-online-since.ts';
import { useServices } from '../../../api/services/services.ts';
import formStyles from '../frame/payment-form.module.css';
import { declineWords } from './attempt-decline.ts';

/** Says above a payment form why the last attempt was declined, and what to do. */
export function DeclineAlert({ decline }: { decline: AttemptDecline }) {
  return (
    <Alert tone="danger" takesFocus className={formStyles.formAlert} title={useCause(decline)}>
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
      {useCause(decline)} <DeclineRemedy decline={decline} />
    </>
  );
}

/** Why the attempt failed. While the browser is offline, that is why there was no response. */
function useCause(decline: AttemptDecline): string {
  // Renders again when the connection comes or goes.
  useOnlineSince();
  return decline === 'no_response' && navigator.onLine === false
    ? 'You’re offline.'
    : declineWords(decline).cause;
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
