import type { PaymentStatus } from '@keyturn/contract';
import type { DeskPayment } from '@keyturn/contract/staff';
import { formatShortDayOf } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag, type StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import type { CasePartProps } from '../case-part-props.ts';
import { Bills } from './bills.tsx';
import { PaymentLinks } from './payment-links.tsx';

const statuses: Record<PaymentStatus, { tone: StatusTone; name: string }> = {
  requires_payment_method: { tone: 'moving', name: 'Started' },
  requires_action: { tone: 'moving', name: 'Waiting for bank confirmation' },
  processing: { tone: 'moving', name: 'Being processed' },
  succeeded: { tone: 'good', name: 'Paid' },
  partially_refunded: { tone: 'note', name: 'Partly refunded' },
  refunded: { tone: 'off', name: 'Refunded' },
  cancelled: { tone: 'off', name: 'Cancelled' },
};

const columns: Column<DeskPayment>[] = [
  { key: 'description', heading: 'For', isRowHeader: true, cell: ({ description }) => description },
  { key: 'client', heading: 'Client', cell: ({ client }) => client.name },
  { key: 'method', heading: 'Method', cell: ({ method }) => (method === 'card' ? 'Card' : 'Bank') },
  {
    key: 'day',
    heading: 'Day',
    cell: ({ paid_at, started_at }) => formatShortDayOf(paid_at ?? started_at),
  },
  {
    key: 'amount',
    heading: 'Amount',
    align: 'end',
    cell: ({ amount, refunded_amount }) =>
      refunded_amount > 0
        ? `${formatMoney(amount)}, ${formatMoney(refunded_amount)} refunded`
        : formatMoney(amount),
  },
  {
    key: 'status',
    heading: 'Status',
    cell: ({ status, under_review, dispute }) =>
      under_review ? (
        <StatusTag tone="held">Under review</StatusTag>
      ) : dispute ? (
        <StatusTag tone="held">{disputeNames[dispute]}</StatusTag>
      ) : (
        <StatusTag tone={statuses[status].tone}>{statuses[status].name}</StatusTag>
      ),
  },
];

const disputeNames = {
  inquiry: 'Bank inquiry',
  open: 'Disputed',
  won: 'Dispute won',
  lost: 'Dispute lost',
} as const;

/** A summary of the payments, payment links and bills of the case. */
export const PaymentsPart = ({ deskCase, deskCase: { payments, bills }, changes }: CasePartProps) => (
  <>
    <Section title="Payments">
      <Table
        label="Payments of the case"
        columns={columns}
        query={{ data: payments, error: null, isFetching: false, refetch: changes.refresh }}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No client has paid anything here yet." />}
        isMain
      />
    </Section>
    <PaymentLinks deskCase={deskCase} changes={changes} />
    {bills.length > 0 && <Bills deskCase={deskCase} changes={changes} />}
  </>
);
