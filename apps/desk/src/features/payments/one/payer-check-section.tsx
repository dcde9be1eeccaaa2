import type { StaffPaymentPage } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { useState } from 'react';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Facts } from '../facts.tsx';
import styles from '../payments.module.css';

interface PayerCheckProps {
  payment: StaffPaymentPage;
  onChanged: () => Promise<void>;
}

/** What the firm knows about another person who paid, or the button to record it before the money is used. */
export function PayerCheckSection({ payment, onChanged }: PayerCheckProps) {
  const { role } = useMember();
  const [isOpen, setOpen] = useState(false);
  const { card_holder, payer, payer_check: check } = payment;
  return (
    <Section title={`Paid by ${card_holder} for ${payer.name}`}>
      {check ? (
        <Facts
          facts={[
            ['Relationship to the client', check.relationship],
            ['Source of the money', check.source],
            ['Identity of the payer', check.identity],
            ['Approved by', check.approved_by],
            ['Recorded', `${formatShortMoment(check.recorded_at)}, ${check.recorded_by}`],
          ]}
        />
      ) : payment.awaits_payer_check ? (
        <div className={styles.decision}>
          <p>
            Check who this is before anything is ordered or paid with the money. It goes to the bank account
            of the firm as usual. If you suspect money laundering, speak to the nominated officer first, and
            don’t tell the client.
          </p>
          {role === 'handler' ? (
            <p>Someone in finance records the check, and decides on refunds.</p>
          ) : (
            <p className={styles.buttons}>
              <Button look="primary" onClick={() => setOpen(true)}>
                Record the check
              </Button>
            </p>
          )}
        </div>
      ) : (
        payment.awaits_payer_check === false && (
          <p>None of the money is left, so there is nothing to check.</p>
        )
      )}
      {isOpen && <PayerCheckDialog payment={payment} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </Section>
  );
}

const empty = { relationship: '', source: '', identity: '', approved_by: '' };

function PayerCheckDialog({
  payment: { id, card_holder },
  onChanged,
  onClose,
}: PayerCheckProps & { onClose: () => void }) {
  const [words, setWords] = useState(empty);
  const field = (name: keyof typeof empty, errors: Record<string, unknown>, missing: string) => ({
    maxLength: 500,
    value: words[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setWords((former) => ({ ...former, [name]: currentTarget.value })),
    error: errors[name] ? missing : undefined,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Record the check of ${card_holder}`}
      action="Record, and allow use of the money"
      busyText="Recording…"
      onSubmit={async () => {
        await callStaff('POST /staff/payments/{id}/payer-check', { params: { id }, body: words });
        showToast('The check is recorded. The money may be used.');
        await onChanged();
      }}
    >
      {(errors) => (
        <>
          <TextField
            label="Relationship to the client"
            hint="For example mother, or employer."
            {...field('relationship', errors, 'Say how they are related.')}
          />
          <TextAreaField
            label="Source of the money"
            hint="Where it comes from, and the evidence you have seen."
            {...field('source', errors, 'Say where the money comes from.')}
          />
          <TextAreaField
            label="Identity of the payer"
            hint="How it was checked, and the result."
            {...field('identity', errors, 'Say how their identity was checked.')}
          />
          <TextField
            label="Approved by"
            hint="The person who decided that the money may be used."
            {...field('approved_by', errors, 'Name the person who approved it.')}
          />
        </>
      )}
    </FormDialog>
  );
}
