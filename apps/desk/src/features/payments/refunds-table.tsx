import type { ListedRefund, RefundMoneyState, StaffRefund } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useState } from 'react';
import { Link } from 'wouter';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState } from '../../ui/base/page.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { TextAreaField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { type Column, Table, type TableQuery } from '../../ui/table/table.tsx';
import { describeRefundFailure, refundMessage, refundStateOf } from './payment-text.ts';
import styles from './payments.module.css';

type Row = StaffRefund & Partial<Pick<ListedRefund, 'payment'>>;

/** Refunds and requests, with the actions of the reader. */
export function RefundsTable({
  label,
  refunds,
  query,
  isMain = false,
  onChanged,
}: {
  label: string;
  refunds: readonly Row[] | undefined;
  query?: Omit<TableQuery<Row>, 'data'>;
  isMain?: boolean;
  onChanged: () => Promise<unknown>;
}) {
  const [chosen, setChosen] = useState<{ refund: Row; isApproval: boolean } | null>(null);
  const columns = useColumns((refund, isApproval) => setChosen({ refund, isApproval }));
  const withPayment = refunds?.some(({ payment }) => payment) ?? true;
  return (
    <>
      <Table
        label={label}
        columns={columns.filter(({ key }) => withPayment || key !== 'payment')}
        query={{ error: null, isFetching: false, refetch: () => undefined, ...query, data: refunds }}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No refunds." />}
        isMain={isMain}
        announcesChanges={isMain}
      />
      {chosen && <DecisionDialog {...chosen} onClose={() => setChosen(null)} onDone={onChanged} />}
    </>
  );
}

function useColumns(onChoose: (refund: Row, isApproval: boolean) => void): Column<Row>[] {
  const { role } = useMember();
  return [
    { key: 'amount', heading: 'Amount', isRowHeader: true, cell: ({ amount }) => formatMoney(amount) },
    {
      key: 'payment',
      heading: 'Payment',
      cell: ({ payment, payment_id }) =>
        payment && (
          <>
            <Link to={`/payments/${payment_id}`}>{payment.description}</Link>
            <span className={styles.below}>
              {payment.case.reference}, {formatMoney(payment.amount)}
            </span>
          </>
        ),
    },
    {
      key: 'state',
      heading: 'State',
      cell: (refund) => {
        const { tone, text } = refundStateOf(refund);
        return (
          <>
            <StatusTag tone={tone}>{text}</StatusTag>
            {refund.failure_reason && (
              <span className={styles.below}>{describeRefundFailure(refund.failure_reason)}</span>
            )}
          </>
        );
      },
    },
    {
      key: 'note',
      heading: 'Why',
      cell: ({ note, money_state, ...refund }) => (
        <>
          {note}
          {partsText(refund) && <span className={styles.below}>{partsText(refund)}</span>}
          {money_state && <span className={styles.below}>{moneyTexts[money_state]}</span>}
        </>
      ),
    },
    {
      key: 'people',
      heading: 'By',
      cell: ({ requested_by, approved_by }) => (
        <>
          {requested_by ?? 'At the provider, or with a command'}
          {approved_by && <span className={styles.below}>Approved by {approved_by}</span>}
        </>
      ),
    },
    { key: 'at', heading: 'When', cell: ({ created_at }) => formatShortMoment(created_at) },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      align: 'end',
      cell: (refund) => (
        <span className={styles.buttons}>
          {refund.may_approve && <Button onClick={() => onChoose(refund, true)}>Approve</Button>}
          {refund.may_reject && (
            <Button look="plain" onClick={() => onChoose(refund, false)}>
              {role === 'handler' ? 'Withdraw' : 'Reject'}
            </Button>
          )}
        </span>
      ),
    },
  ];
}

/** How much of a refund of a mixed payment is the firm’s money; null for other refunds. */
const partsText = ({
  amount,
  office = null,
}: {
  amount: number;
  office?: number | null | undefined;
}): string | null =>
  office === null
    ? null
    : `${formatMoney(office)} of it is the firm’s money, and ${formatMoney(amount - office)} client money.`;

/** What the person who asked for a refund said about its money. */
const moneyTexts: Record<RefundMoneyState, string> = {
  held: 'The money has not been spent.',
  spent: 'All or part of this money was paid out of the client account.',
  firm: 'The money was the firm’s.',
};

function DecisionDialog({
  refund: { id, amount, office, requested_by, note, money_state },
  isApproval,
  onClose,
  onDone,
}: {
  refund: Row;
  isApproval: boolean;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const [reason, setReason] = useState('');
  const params = { id };
  const decide = () =>
    isApproval
      ? callStaff('POST /staff/refunds/{id}/approve', { params, timeout: 60_000 })
      : callStaff('POST /staff/refunds/{id}/reject', { params, body: { reason } });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={
        isApproval
          ? `Approve the refund of ${formatMoney(amount)}?`
          : `Reject the refund of ${formatMoney(amount)}?`
      }
      action={isApproval ? `Approve and refund ${formatMoney(amount)}` : 'Reject it'}
      look={isApproval ? 'primary' : 'danger'}
      busyText={isApproval ? 'Asking the provider…' : 'Please wait'}
      onSubmit={async () => {
        const refund = await decide();
        showToast(refundMessage(refund), { tone: refund.status === 'failed' ? 'danger' : 'good' });
        await onDone();
      }}
    >
      {(errors) => (
        <>
          <p>
            Requested by {requested_by}
            {note && `: “${note}”`}
          </p>
          {isApproval && partsText({ amount, office }) && <p>{partsText({ amount, office })}</p>}
          {isApproval && (
            <p>
              {money_state
                ? moneyTexts[money_state]
                : 'No one has said yet whether this money has been spent. Find out before you approve.'}
              {money_state === 'spent' && ' Check that it has been replaced before you approve.'}
            </p>
          )}
          {!isApproval && (
            <TextAreaField
              label="Reason"
              hint="For the firm’s record."
              maxLength={500}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
              error={errors.reason && 'Say why.'}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
