import type { AttemptRefusal } from '../../../api/payments/payment-tab-store.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import { refusalWords } from './attempt-refusal.ts';
import formStyles from './payment-form.module.css';

/** Above a card form: why the last attempt was refused, and what to do. */
export function RefusalAlert({ refusal }: { refusal: AttemptRefusal }) {
  return (
    <Alert tone="danger" takesFocus className={formStyles.formAlert} title={refusalWords(refusal).cause}>
      <p>
        <RefusalRemedy refusal={refusal} />
      </p>
    </Alert>
  );
}

/** At a field of the card form: the same as one paragraph. */
export function RefusalMessage({ refusal }: { refusal: AttemptRefusal }) {
  return (
    <>
      {refusalWords(refusal).cause} <RefusalRemedy refusal={refusal} />
    </>
  );
}

function RefusalRemedy({ refusal }: { refusal: AttemptRefusal }) {
  const phone = useServices().config.firm?.phone;
  return (
    <>
      You have not been charged. {refusalWords(refusal).remedy}
      {phone && (
        <>
          , or call us on <PhoneLink phone={phone} />
        </>
      )}
      .
    </>
  );
}
