import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Link } from 'wouter';
import { useMember } from '../../api/desk-api.ts';
import { useMissingFirmData } from '../../api/missing-firm-data.ts';

/** Asks the firm to decide what its clients can pay; nothing if it has. */
export function UndecidedPaymentRules({ className }: { className?: string | undefined }) {
  const { role } = useMember();
  const data = useMissingFirmData();
  if (role !== 'admin' || !data?.lacks_payment_rules) return null;
  return (
    <Alert tone="attention" title="Decide what your clients can pay" className={className}>
      <p>
        No one has decided yet which payments you accept without having asked for them, and which wait for the
        identity check. See <Link to="/settings/payment-rules">Settings → Rules for payments</Link>.
      </p>
    </Alert>
  );
}

/** Lists what the firm must still enter, and where; nothing if it has entered everything. */
export function MissingFirmData({ className }: { className?: string | undefined }) {
  const { role } = useMember();
  const data = useMissingFirmData();
  if (!data || data.missing.length === 0) return null;
  return (
    <Alert
      tone="attention"
      title={
        data.allows_invitations
          ? 'What your firm must show its clients is incomplete'
          : 'You can invite clients once your firm has entered what it must show them'
      }
      className={className}
    >
      <p>
        {role === 'admin' ? (
          <>
            Enter these in <Link to="/settings/firm">Settings → Firm</Link>:
          </>
        ) : (
          'Ask an admin to enter these in Settings → Firm:'
        )}
      </p>
      <ul>
        {data.missing.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Alert>
  );
}
