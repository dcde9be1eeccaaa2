import type { AllocationCause, StaffPaymentPage } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { useState } from 'react';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { readPence } from '../../../ui/forms/entered-price.ts';
import { TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Facts } from '../facts.tsx';
import styles from '../payments.module.css';

interface AllocationProps {
  payment: StaffPaymentPage;
  onChanged: () => Promise<void>;
}

/** Says whose money the cleared payment for a search is, and why; finance can change it. */
export function AllocationSection({ payment, onChanged }: AllocationProps) {
  const { role } = useMember();
  const [isOpen, setOpen] = useState(false);
  const { amount, allocation, allocation_obstacle: obstacle } = payment;
  const office = allocation?.office ?? 0;
  return (
    <Section title="Client money, or the firm’s">
      <Facts
        facts={[
          ['Client money', amount > office && formatMoney(amount - office)],
          ['Repays the firm', office > 0 && formatMoney(office)],
          ['Why', allocation ? reasonOf(allocation) : 'It cleared before Keyturn decided this.'],
          [
            'Decided',
            allocation &&
              `${formatShortMoment(allocation.decided_at)}, ${allocation.decided_by ?? 'Keyturn, when the money cleared'}`,
          ],
        ]}
      />
      {role !== 'handler' && obstacle === null && (
        <p className={styles.buttons}>
          <Button onClick={() => setOpen(true)}>Change this</Button>
        </p>
      )}
      {isOpen && <AllocationDialog payment={payment} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </Section>
  );
}

const reasonOf = ({ cause, reason }: NonNullable<StaffPaymentPage['allocation']>): string =>
  reason ?? causes[cause];

const causes: Record<AllocationCause, string> = {
  not_ordered: 'The search was not ordered before the money cleared.',
  ordered_before:
    'The firm ordered the search from its own money before the payment cleared, so what the search cost it repays the firm. Our own charge is client money until it is billed.',
  not_paid_first:
    'The firm orders searches once the money has cleared, so it is not known to have paid the supplier first. If it has, change this.',
  cost_unknown:
    'The search was ordered before the money cleared, but what its supplier charges is not entered. If the firm has paid the supplier, change this.',
  payer_unchecked:
    'The search was ordered before the money cleared, but the check of the person who paid is not recorded.',
  finance: 'Finance changed it.',
};

function AllocationDialog({
  payment: { id, amount, allocation },
  onChanged,
  onClose,
}: AllocationProps & { onClose: () => void }) {
  const former = allocation?.office ?? 0;
  const [pounds, setPounds] = useState((former / 100).toFixed(2));
  const [reason, setReason] = useState('');
  const office = readPence(pounds);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Change whose money it is"
      action="Change"
      busyText="Saving…"
      onSubmit={async () => {
        if (office === null || reason.trim() === '')
          throw invalidForm({
            ...(office === null ? { office: 'Enter an amount, such as 6.00, or 0.' } : {}),
            ...(reason.trim() === '' ? { reason: 'Say why.' } : {}),
          });
        await callStaff('POST /staff/payments/{id}/allocation', {
          params: { id },
          body: { office, reason, former },
        });
        showToast('Changed. The ledger and the receipt follow.');
        await onChanged();
      }}
    >
      {(errors) => (
        <>
          <p>
            Money repays the firm only for what it has paid its supplier already, or for a charge that is
            billed. Everything else of this {formatMoney(amount)} is client money.
          </p>
          <TextField
            label="Repays the firm, in pounds"
            inputMode="decimal"
            autoComplete="off"
            value={pounds}
            onChange={({ currentTarget }) => setPounds(currentTarget.value)}
            error={errors.office}
          />
          <TextAreaField
            label="Why"
            hint="For the firm’s record. The client doesn’t see it."
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            error={errors.reason}
          />
          <p>
            If the money is in a payout already, the ledger then shows what is left to move between the client
            account and the business account.
          </p>
        </>
      )}
    </FormDialog>
  );
}
