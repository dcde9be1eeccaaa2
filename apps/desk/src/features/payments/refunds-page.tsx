import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';
import { PageHead, Section } from '../../ui/base/page.tsx';
import styles from './payments.module.css';
import { PaymentsFrame } from './payments-frame.tsx';
import { RefundsTable } from './refunds-table.tsx';

/** The refunds that wait for a second person, and the latest others. */
export default function RefundsPage() {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ['refunds'],
    meta: { follows: 'cases' },
    queryFn: ({ signal }) => callStaff('GET /staff/refunds', { signal }),
  });
  const refresh = () => queries.invalidateQueries({ queryKey: ['refunds'] });
  return (
    <PaymentsFrame>
      <PageHead title="Refunds">To refund a payment, open it in the list of payments.</PageHead>
      <div className={styles.blocks}>
        <Section title="Waiting for approval">
          <RefundsTable
            label="Refunds waiting for approval"
            refunds={found.data?.waiting}
            query={found}
            onChanged={refresh}
            isMain
          />
        </Section>
        <Section title="Latest">
          <RefundsTable
            label="Latest refunds"
            refunds={found.data?.latest}
            query={found}
            onChanged={refresh}
          />
        </Section>
      </div>
    </PaymentsFrame>
  );
}
