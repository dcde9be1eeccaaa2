import type { FraudSignal } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callStaff } from '../../api/desk-api.ts';
import { EmptyState, PageHead, Section } from '../../ui/base/page.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { DisputesTable } from './disputes-table.tsx';
import styles from './payments.module.css';
import { PaymentsFrame } from './payments-frame.tsx';

/** Disputes by their deadline, and signals of fraud. */
export default function DisputesPage() {
  const found = useQuery({
    queryKey: ['disputes'],
    meta: { follows: 'cases' },
    queryFn: ({ signal }) => callStaff('GET /staff/disputes', { signal }),
  });
  return (
    <PaymentsFrame>
      <PageHead title="Disputes">
        Answer disputes at the provider before the deadline. “keyturn payments evidence” makes the evidence
        pack.
      </PageHead>
      <div className={styles.blocks}>
        <Section title="Disputes and inquiries">
          <DisputesTable disputes={found.data?.disputes} query={found} isMain />
        </Section>
        <Section title="Signals of fraud">
          <Table
            label="Signals of fraud"
            columns={signalColumns}
            query={{ ...found, data: found.data?.signals }}
            keyOf={({ provider_id }) => provider_id}
            empty={<EmptyState title="No signals of fraud." />}
          />
        </Section>
      </div>
    </PaymentsFrame>
  );
}

const signalColumns: Column<FraudSignal>[] = [
  {
    key: 'kind',
    heading: 'Signal',
    isRowHeader: true,
    cell: ({ kind, payment_id, amount }) => (
      <Link to={`/payments/${payment_id}`}>
        {kind === 'early_fraud_warning' ? 'Early fraud warning' : 'Review at the provider'},{' '}
        {formatMoney(amount)}
      </Link>
    ),
  },
  { key: 'found', heading: 'What', cell: ({ found }) => found },
  {
    key: 'open',
    heading: 'What to do',
    cell: ({ kind, is_open }) => {
      if (!is_open) return 'No action needed: the payment has since been refunded or disputed.';
      return kind === 'early_fraud_warning'
        ? 'Find out whether the client made this payment. Refunding it before it is disputed avoids the dispute fee.'
        : 'Approve it at the provider, or refund it. Order nothing until then.';
    },
  },
  { key: 'at', heading: 'When', cell: ({ at }) => formatShortMoment(at) },
];
