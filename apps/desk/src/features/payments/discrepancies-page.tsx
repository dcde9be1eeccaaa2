import type { PaymentCheck } from '@keyturn/contract/staff';
import { countOf } from '@keyturn/format/count-of';
import { formatShortMoment } from '@keyturn/format/dates';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { showFailure } from '../../ui/feedback/toast-store.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { PaymentsFrame } from './payments-frame.tsx';

/** The latest reconciliation of payments with the provider. */
export default function DiscrepanciesPage() {
  const [startedAfter, setStartedAfter] = useState<{ checkedAt: string | null } | null>(null);
  const found = useQuery({
    queryKey: ['payment-check'],
    queryFn: ({ signal }) => callStaff('GET /staff/payment-check', { signal }),
    refetchInterval: ({ state }) =>
      startedAfter && (state.data?.checked_at ?? null) === startedAfter.checkedAt ? 3_000 : false,
  });
  const report = found.data;
  const isChecking = startedAfter !== null && (report?.checked_at ?? null) === startedAfter.checkedAt;
  const start = async () => {
    try {
      await callStaff('POST /staff/payment-check');
      setStartedAfter({ checkedAt: report?.checked_at ?? null });
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <PaymentsFrame>
      <PageHead
        title="Discrepancies"
        actions={
          <Button busy={isChecking} busyText="Checking…" onClick={() => void start()}>
            Check now
          </Button>
        }
      >
        {report
          ? `Last checked ${formatShortMoment(report.checked_at)}: ${countOf(report.payments, 'payment')} and ${countOf(report.intents, 'payment')} at the provider since ${formatShortMoment(report.since)}.`
          : 'Payments are compared with the ledger, searches, receipts and the provider every hour.'}
      </PageHead>
      {isChecking && (
        <Alert tone="information">
          <p>The check takes up to a minute. This page shows its result when it is done.</p>
        </Alert>
      )}
      <Table
        label="Discrepancies"
        columns={columns}
        query={{ ...found, data: report === null ? [] : report?.discrepancies }}
        keyOf={({ kind, subject, found: text }) => `${kind} ${subject} ${text}`}
        empty={<EmptyState title={report ? 'No discrepancies found.' : 'Not checked yet.'} />}
        isMain
      />
    </PaymentsFrame>
  );
}

const columns: Column<PaymentCheck['discrepancies'][number]>[] = [
  { key: 'found', heading: 'What', isRowHeader: true, cell: ({ found }) => found },
  {
    key: 'subject',
    heading: 'Where',
    cell: ({ subject }) =>
      isId(subject) ? <Link to={`/payments?search=${subject}`}>{subject}</Link> : subject,
  },
  { key: 'fix', heading: 'What to do', cell: ({ fix }) => fix },
  { key: 'kind', heading: 'Kind', cell: ({ kind }) => kind },
];

const isId = (subject: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(subject);
