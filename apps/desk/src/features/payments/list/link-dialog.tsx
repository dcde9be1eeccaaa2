import { otherPaymentCategories } from '@keyturn/contract';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { purposeName } from '../../../api/purpose-name.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SelectField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { parsePounds } from '../payment-text.ts';

const kinds = [
  { value: 'search', name: 'A search' },
  { value: 'bill', name: 'A bill' },
  { value: 'other', name: 'Other money' },
] as const;
const categories = otherPaymentCategories
  .filter((category) => category !== 'legal_fees')
  .map((value) => ({ value, name: purposeName(value) }));

const outcomes = {
  sent: 'the email is on its way',
  sent_before: 'has already been emailed this request',
  too_many: 'has been emailed three requests in the last 24 hours: call them instead',
} as const;

/** Emails clients a request to pay. Pressing the button twice sends only one email. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('search');
  const [category, setCategory] = useState<(typeof otherPaymentCategories)[number]>('money_on_account');
  const [reference, setReference] = useState('');
  const [amount, setAmount] = useState('');
  const [client, setClient] = useState('');
  const target = () => {
    if (kind !== 'other') return { [kind]: reference.trim() };
    return { other: { case: reference.trim(), category, amount: parsePounds(amount) ?? 0 } };
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Send a payment request"
      action="Send the request"
      busyText="Sending…"
      onSubmit={async () => {
        const body = { key, ...target(), ...(client.trim() ? { client: client.trim() } : {}) };
        const sent = await callStaff('POST /staff/payment-links', { body });
        showToast(sent.map(({ name, outcome }) => `${name}: ${outcomes[outcome]}.`).join(' '));
      }}
    >
      {(errors) => (
        <>
          <p>
            The client signs in and finds the payment on their home page. The email has no link to pay, and
            doesn’t show the amount.
          </p>
          <SelectField label="What for" value={kind} options={kinds} onChoose={(chosen) => setKind(chosen)} />
          <TextField
            label={
              kind === 'other' ? 'Case reference' : kind === 'bill' ? 'Bill reference' : 'Search reference'
            }
            hint="As in your case system."
            autoComplete="off"
            maxLength={100}
            value={reference}
            onChange={({ currentTarget }) => setReference(currentTarget.value)}
            error={(errors.search ?? errors.bill ?? errors['other.case']) && 'Enter a reference.'}
          />
          {kind === 'other' && (
            <>
              <SelectField
                label="Purpose"
                value={category}
                options={categories}
                onChoose={(chosen) => setCategory(chosen)}
              />
              <TextField
                label="Amount in pounds"
                inputMode="decimal"
                autoComplete="off"
                value={amount}
                onChange={({ currentTarget }) => setAmount(currentTarget.value)}
                error={errors['other.amount'] && 'Enter an amount, such as 500.00.'}
              />
            </>
          )}
          <TextField
            label="Client reference (optional)"
            hint="Without it, every client of the case gets the request. Other money needs one client."
            autoComplete="off"
            maxLength={100}
            value={client}
            onChange={({ currentTarget }) => setClient(currentTarget.value)}
            error={errors.client}
          />
        </>
      )}
    </FormDialog>
  );
}
