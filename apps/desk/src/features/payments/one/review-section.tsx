import type { StaffPaymentPage } from '@keyturn/contract/staff';
import { useState } from 'react';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import styles from '../payments.module.css';

const decisions = {
  sync: {
    name: 'Sync from provider',
    text: 'Use this once you have corrected it at the provider. The payment takes over the provider’s state.',
  },
  paid: {
    name: 'Mark as paid',
    text: 'Use this if the right amount was captured, whatever else the provider’s intent says. The client gets a receipt.',
  },
  cancel: {
    name: 'Cancel payment',
    text: 'Use this if no money is kept for it. The intent is cancelled at the provider, and a search can be paid again.',
  },
} as const;
type Decision = keyof typeof decisions;

/** Shows why a payment is under review, and closes the review. */
export function ReviewSection({
  payment: { id, review_reason },
  onChanged,
}: {
  payment: StaffPaymentPage;
  onChanged: () => Promise<void>;
}) {
  const { role } = useMember();
  const [chosen, setChosen] = useState<Decision | null>(null);
  return (
    <Section title="Under review">
      <p>
        {review_reason}. Check the payment at the provider. The client reads that you are reviewing it, and is
        asked not to pay again.
      </p>
      {role === 'handler' ? (
        <p>Someone in finance can close the review.</p>
      ) : (
        <p className={styles.buttons}>
          {(Object.keys(decisions) as Decision[]).map((decision) => (
            <Button key={decision} onClick={() => setChosen(decision)}>
              {decisions[decision].name}
            </Button>
          ))}
        </p>
      )}
      {chosen && (
        <FormDialog
          open
          onClose={() => setChosen(null)}
          title={`${decisions[chosen].name}?`}
          action={decisions[chosen].name}
          busyText="Asking the provider…"
          onSubmit={async () => {
            await callStaff('POST /staff/payments/{id}/review', {
              params: { id },
              body: { decision: chosen },
              timeout: 60_000,
            });
            showToast('The review is closed.');
            await onChanged();
          }}
        >
          <p>{decisions[chosen].text}</p>
        </FormDialog>
      )}
    </Section>
  );
}
