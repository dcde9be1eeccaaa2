import type { RefundMoneyState, refundReasonCodes, StaffPaymentPage } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { describeClientBalance } from '../../../api/ledger-balances.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { readPence } from '../../../ui/forms/entered-price.ts';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { describeRefundBalance, parsePounds, refundMessage } from '../payment-text.ts';
import styles from '../payments.module.css';

type Reason = (typeof refundReasonCodes)[number];

const reasons: { value: Reason; name: string }[] = [
  { value: 'requested_by_customer', name: 'The client asked for it, or it isn’t needed' },
  { value: 'duplicate', name: 'Paid twice' },
  { value: 'fraudulent', name: 'Fraud' },
];

type Spent = '' | RefundMoneyState;

const spentOptions: { value: Spent; name: string }[] = [
  { value: '', name: 'Choose an answer' },
  { value: 'held', name: 'No, it is in the client account, or still at the provider' },
  { value: 'spent', name: 'Yes, all or part of it was paid out of the client account' },
  { value: 'firm', name: 'It was ours: it paid a bill or repaid us' },
];

/** Refunds a payment, or requests it where a second person has to approve. Pressing twice makes one refund. */
export function RefundDialog({
  payment: { id, method, matter_reference, refundable, refund_limit: limit, own_card, parts_left: parts },
  onClose,
  onDone,
}: {
  payment: StaffPaymentPage;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const { role } = useMember();
  const [key] = useState(() => crypto.randomUUID());
  const suggested = role === 'handler' ? Math.min(limit, refundable) : refundable;
  const [pounds, setPounds] = useState((suggested / 100).toFixed(2));
  const [reason, setReason] = useState<Reason>('requested_by_customer');
  const [note, setNote] = useState('');
  const [spent, setSpent] = useState<Spent>('');
  const [officePounds, setOfficePounds] = useState('');
  const amount = parsePounds(pounds);
  const office = readPence(officePounds);
  const hasPart = officePounds.trim() !== '';
  const balance = useQuery({
    queryKey: ['refund-balance', id],
    queryFn: ({ signal }) => callStaff('GET /staff/payments/{id}/refund-balance', { params: { id }, signal }),
    gcTime: 0,
  });
  const found = balance.data && describeRefundBalance(balance.data, { amount, method });
  const needsApproval = role === 'handler' || (amount !== null && amount > limit);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={role === 'handler' ? 'Request a refund' : 'Refund this payment'}
      action={
        needsApproval ? 'Request the refund' : amount === null ? 'Refund' : `Refund ${formatMoney(amount)}`
      }
      busyText="Asking the provider…"
      onSubmit={async () => {
        if (amount === null || spent === '' || note.trim() === '' || (hasPart && office === null))
          throw invalidForm({
            ...(amount === null ? { amount: 'Enter an amount, such as 6.00.' } : {}),
            ...(spent === '' ? { money_state: 'Say whether this money has been spent.' } : {}),
            ...(note.trim() === '' ? { note: 'Say why.' } : {}),
            ...(hasPart && office === null ? { office: 'Enter an amount, such as 6.00, or 0.' } : {}),
          });
        const refund = await callStaff('POST /staff/payments/{id}/refunds', {
          params: { id },
          body: { amount, reason, note, key, money_state: spent, office: hasPart ? office : null },
          timeout: 60_000,
        });
        showToast(refundMessage(refund), { tone: refund.status === 'failed' ? 'danger' : 'good' });
        await onDone();
      }}
    >
      {(errors) => (
        <>
          <p>
            {formatMoney(refundable)} can be refunded, to the card or account that paid.{' '}
            {role === 'handler'
              ? `You can request ${formatMoney(limit)} of it. Someone in finance has to approve it.`
              : `You can refund ${formatMoney(Math.min(limit, refundable))} yourself. A second person must approve more.`}
          </p>
          {own_card === false && (
            <p>Someone else’s card paid this. Speak to the nominated officer before you refund it.</p>
          )}
          <div role="status" className={styles.balance}>
            {found &&
              (found.isWarning ? (
                <Alert tone="attention">
                  <p>{found.text}</p>
                </Alert>
              ) : (
                <p>{found.text}</p>
              ))}
            {balance.error && <p>{errorText(balance.error)}</p>}
          </div>
          <TextField
            label="Amount in pounds"
            inputMode="decimal"
            autoComplete="off"
            value={pounds}
            onChange={({ currentTarget }) => setPounds(currentTarget.value)}
            error={errors.amount}
          />
          {parts && role !== 'handler' && (
            <TextField
              label="Of which the firm’s money, in pounds (optional)"
              hint={`${formatMoney(parts.office)} of the firm’s money and ${formatMoney(parts.client)} of client money are left. If you leave this empty, what was paid above a bill or held on account is refunded first, and then the firm’s money.`}
              inputMode="decimal"
              autoComplete="off"
              value={officePounds}
              onChange={({ currentTarget }) => setOfficePounds(currentTarget.value)}
              error={errors.office}
            />
          )}
          <SelectField
            label="Has this money been spent?"
            hint={
              balance.data?.received_online === undefined
                ? undefined
                : `${formatMoney(balance.data.received_online)} was received online for this ${matter_reference === null ? 'case' : 'matter'}, less refunds. Your own ledger says what is left of it.${balance.data.ledger ? ` ${describeClientBalance(balance.data.ledger)}` : ''}`
            }
            value={spent}
            options={spentOptions}
            onChoose={(chosen) => setSpent(chosen)}
            error={errors.money_state}
          />
          {spent === 'spent' && (
            <p>
              Before you refund it, replace what was paid out of the client account from the business account.
            </p>
          )}
          <SelectField
            label="Reason for the provider"
            value={reason}
            options={reasons}
            onChoose={(chosen) => setReason(chosen)}
          />
          <TextAreaField
            label="Why"
            hint="For the firm’s record. The client doesn’t see it."
            maxLength={500}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            error={errors.note}
          />
        </>
      )}
    </FormDialog>
  );
}
