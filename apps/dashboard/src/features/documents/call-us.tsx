import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { useClient } from '../../api/queries/use-client.ts';
import { useServices } from '../../api/services/services.ts';

/** Names the conveyancer to call with questions, or the firm when the case has no handler yet. */
export function CallUs({ className }: { className?: string | undefined }) {
  const { firm } = useServices().config;
  const handler = useClient().data?.conveyancing_case?.handlers[0];
  const phone = handler?.phone ?? firm?.phone;
  if (!phone) return null;
  return (
    <p className={className}>
      Questions? Call {handler?.name ?? 'us'} on <PhoneLink phone={phone} />.
    </p>
  );
}
