import type { StaffDispute } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag, type StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { Link } from 'wouter';
import { EmptyState } from '../../ui/base/page.tsx';
import { type Column, Table, type TableQuery } from '../../ui/table/table.tsx';
import styles from './payments.module.css';

/** Disputes and inquiries, with their deadlines. */
export const DisputesTable = ({
  disputes,
  query,
  isMain = false,
}: {
  disputes: readonly StaffDispute[] | undefined;
  query?: Omit<TableQuery<StaffDispute>, 'data'>;
  isMain?: boolean;
}) => (
  <Table
    label="Disputes"
    columns={columns}
    query={{ error: null, isFetching: false, refetch: () => undefined, ...query, data: disputes }}
    keyOf={({ id }) => id}
    empty={<EmptyState title="No disputes." />}
    isMain={isMain}
    announcesChanges={isMain}
  />
);

const columns: Column<StaffDispute>[] = [
  {
    key: 'payment',
    heading: 'Payment',
    isRowHeader: true,
    cell: ({ payment_id, payment }) => (
      <>
        <Link to={`/payments/${payment_id}`}>{payment.description}</Link>
        <span className={styles.below}>
          {payment.case.reference}, {payment.receipt_number ?? 'no receipt'}
        </span>
      </>
    ),
  },
  {
    key: 'state',
    heading: 'State',
    cell: (dispute) => {
      const { tone, text } = stateOf(dispute);
      return <StatusTag tone={tone}>{text}</StatusTag>;
    },
  },
  {
    key: 'due',
    heading: 'Answer by',
    cell: ({ status, evidence_due_by }) =>
      status !== 'needs_response'
        ? 'No answer needed'
        : evidence_due_by
          ? formatShortMoment(evidence_due_by)
          : 'The provider gives no deadline',
  },
  { key: 'amount', heading: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
  {
    key: 'money',
    heading: 'Money',
    cell: ({ withdrawn_amount, reinstated_amount }) =>
      withdrawn_amount === 0
        ? 'The bank has taken nothing'
        : `The bank has taken ${formatMoney(withdrawn_amount)}${reinstated_amount > 0 ? ` and paid back ${formatMoney(reinstated_amount)}` : ''}`,
  },
  { key: 'reason', heading: 'Reason', cell: ({ reason }) => reason },
  {
    key: 'id',
    heading: 'At the provider',
    cell: ({ provider_dispute_id }) => <span className={styles.below}>{provider_dispute_id}</span>,
  },
];

const outcomes: Record<NonNullable<StaffDispute['outcome']>, string> = {
  won: 'Won',
  lost: 'Lost',
  inquiry_closed: 'Closed without a dispute',
  prevented: 'Prevented by a refund',
};

function stateOf({ is_inquiry, status, outcome }: StaffDispute): { tone: StatusTone; text: string } {
  const kind = is_inquiry ? 'Inquiry' : 'Dispute';
  if (status === 'needs_response') return { tone: 'to-do', text: `${kind}: needs an answer` };
  if (status === 'under_review') return { tone: 'moving', text: `${kind}: the bank is deciding` };
  return { tone: outcome === 'lost' ? 'held' : 'off', text: outcomes[outcome ?? 'lost'] };
}
