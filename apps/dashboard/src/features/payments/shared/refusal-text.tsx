import { useServices } from '../../../api/services/services.ts';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import { refusalWords } from '../payment-screen/attempt-outcome.ts';

/** What happened, in one sentence. */
export function RefusalCause({ code }: { code: string }) {
  return refusalWords(code).cause;
}

/** That nothing was charged and what to do, with the firm's number to call. */
export function RefusalRemedy({ code }: { code: string }) {
  const phone = useServices().config.firm?.phone;
  const { remedy } = refusalWords(code, phone);
  if (!phone) return remedy;
  const [before = '', after = ''] = remedy.split(phone);
  return (
    <>
      {before}
      <PhoneLink phone={phone} />
      {after}
    </>
  );
}
