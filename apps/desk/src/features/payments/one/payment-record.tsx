import type { PaymentChange, PaymentMail, StaffPaymentPage, TrailEntry } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { useQuery } from '@tanstack/react-query';
import { describeAction, describeValues } from '../../../api/audit-text.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import { describeCause, refundStateOf } from '../payment-text.ts';
import styles from '../payments.module.css';

/** The record of a payment: its states, the emails about it, and the actions of staff. */
export function PaymentRecord({ payment: { id, changes, mails } }: { payment: StaffPaymentPage }) {
  const trail = useQuery({
    queryKey: ['payment-trail', id],
    meta: { follows: 'cases' },
    queryFn: ({ signal }) =>
      callStaff('GET /staff/trail/{kind}/{id}', { params: { kind: 'payment', id }, signal }),
  });
  return (
    <>
      <Section title="States">
        <Table
          label="States"
          columns={changeColumns}
          query={shown(changes.map((change, index) => ({ ...change, index })))}
          keyOf={({ index }) => String(index)}
          empty={<EmptyState title="Nothing has happened yet." />}
        />
      </Section>
      <Section title="Emails">
        <Table
          label="Emails"
          columns={mailColumns}
          query={shown(mails)}
          keyOf={({ kind, written_at }) => kind + written_at}
          empty={<EmptyState title="No emails have been sent about this payment." />}
        />
      </Section>
      <Section title="What staff did">
        <Table
          label="What staff did"
          columns={trailColumns}
          query={trail}
          keyOf={({ id: entry }) => entry}
          empty={<EmptyState title="Staff have done nothing with this payment." />}
        />
      </Section>
    </>
  );
}

const shown = <Row,>(data: readonly Row[]) => ({
  data,
  error: null,
  isFetching: false,
  refetch: () => undefined,
});

const statuses: Record<PaymentChange['to'], string> = {
  requires_payment_method: 'Not paid',
  requires_action: 'Waiting for bank confirmation',
  processing: 'Being processed',
  succeeded: 'Paid',
  partially_refunded: 'Partly refunded, or on its way back',
  refunded: 'Refunded, or on its way back',
  cancelled: 'Cancelled',
};

const changeColumns: Column<PaymentChange & { index: number }>[] = [
  { key: 'at', heading: 'When', isRowHeader: true, cell: ({ at }) => formatShortMoment(at) },
  {
    key: 'state',
    heading: 'What',
    cell: ({ from, to, refund, review_reason, confirmed_by, cancelled_by, failure_code, dispute }) => {
      const parts = [
        from === null ? 'Started' : from !== to && statuses[to],
        confirmed_by && `Confirmed by ${confirmed_by}`,
        cancelled_by && `Cancelled by ${cancelled_by}`,
        refund && `Refund of ${formatMoney(refund.amount)}: ${refundStateOf(refund).text}`,
        review_reason && `Under review: ${review_reason}`,
        dispute && (dispute === 'inquiry' ? 'Bank inquiry' : `Dispute: ${dispute}`),
        failure_code && `Failed: ${failure_code.replaceAll('_', ' ')}`,
      ].filter(Boolean);
      return parts.join('. ') || 'Updated';
    },
  },
  {
    key: 'money',
    heading: 'Money',
    align: 'end',
    cell: ({ money }) => (money === 0 ? '' : formatMoney(money)),
  },
  {
    key: 'cause',
    heading: 'Cause',
    cell: ({ cause }) => <span className={styles.below}>{describeCause(cause)}</span>,
  },
];

const mailKinds: Record<PaymentMail['kind'], string> = {
  receipt: 'Payment received, with the receipt',
  refund: 'Refund',
  refund_failed: 'Refund failed',
  not_paid: 'Payment failed',
};

const mailColumns: Column<PaymentMail>[] = [
  { key: 'kind', heading: 'Email', isRowHeader: true, cell: ({ kind }) => mailKinds[kind] },
  { key: 'to', heading: 'To', cell: ({ address }) => address },
  {
    key: 'sent',
    heading: 'Sent',
    cell: ({ sent_at }) => (sent_at ? formatShortMoment(sent_at) : 'Not sent yet'),
  },
];

const trailColumns: Column<TrailEntry>[] = [
  { key: 'at', heading: 'When', isRowHeader: true, cell: ({ at }) => formatShortMoment(at) },
  { key: 'actor', heading: 'Who', cell: ({ actor }) => actor.name },
  { key: 'action', heading: 'What', cell: ({ action }) => describeAction(action) },
  { key: 'values', heading: 'Details', cell: ({ before, after }) => describeValues(before, after) },
];
