import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { StaffPaymentPage } from '@keyturn/contract/staff';
import { formatShortDay, formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { errorText } from '../../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { describeClientBalance, describeOfficeBalance } from '../../../api/ledger-balances.ts';
import { purposeName } from '../../../api/purpose-name.ts';
import { Button } from '../../../ui/base/button.tsx';
import { PageHead, Section } from '../../../ui/base/page.tsx';
import { showFailure } from '../../../ui/feedback/toast-store.ts';
import { DisputesTable } from '../disputes-table.tsx';
import { Facts } from '../facts.tsx';
import { stateOf } from '../payment-text.ts';
import styles from '../payments.module.css';
import { PaymentsFrame } from '../payments-frame.tsx';
import { RefundsTable } from '../refunds-table.tsx';
import { AllocationSection } from './allocation-section.tsx';
import { MatterSection } from './matter-section.tsx';
import { PaidLines } from './paid-lines.tsx';
import { PayerCheckSection } from './payer-check-section.tsx';
import { PaymentRecord } from './payment-record.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { ReviewSection } from './review-section.tsx';

/** Everything about one payment. */
export default function PaymentPage({ params: { id = '' } }: { params: Readonly<Record<string, string>> }) {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ['payment', id],
    meta: { follows: 'cases' },
    queryFn: ({ signal }) => callStaff('GET /staff/payments/{id}', { params: { id }, signal }),
  });
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['payment', id] });
    void queries.invalidateQueries({ queryKey: ['payments'] });
    void queries.invalidateQueries({ queryKey: ['payment-trail', id] });
  };
  return (
    <PaymentsFrame>
      {found.data ? (
        <OnePayment payment={found.data} onChanged={refresh} />
      ) : found.error ? (
        <>
          <PageHead title="Payment" />
          <LoadFailure
            what="The payment"
            message={errorText(found.error)}
            onRetry={() => void found.refetch()}
            isTrying={found.isFetching}
          />
        </>
      ) : (
        <>
          <PageHead title="Payment" />
          <Skeleton width="60%" />
        </>
      )}
    </PaymentsFrame>
  );
}

function OnePayment({ payment, onChanged }: { payment: StaffPaymentPage; onChanged: () => Promise<void> }) {
  const { role } = useMember();
  const [isRefunding, setRefunding] = useState(false);
  const { tone, text } = stateOf(payment);
  const canRefund =
    payment.refundable > 0 &&
    !payment.under_review &&
    isUndisputed(payment) &&
    (payment.own_card !== false || role !== 'handler');
  return (
    <>
      <PageHead
        title={`${formatMoney(payment.amount)}: ${payment.description}`}
        actions={
          <>
            {payment.receipt_number && <ReceiptButton payment={payment} />}
            {canRefund && (
              <Button look="primary" onClick={() => setRefunding(true)}>
                {role === 'handler' ? 'Request a refund' : 'Refund'}
              </Button>
            )}
          </>
        }
      >
        <StatusTag tone={tone}>{text}</StatusTag>
      </PageHead>
      <div className={styles.blocks}>
        {payment.provider === 'sandbox' && (
          <Alert tone="information">
            <p>This payment was made in the sandbox: no money moved.</p>
          </Alert>
        )}
        {payment.under_review && <ReviewSection payment={payment} onChanged={onChanged} />}
        {payment.own_card === false && payment.paid_at !== null && (
          <PayerCheckSection payment={payment} onChanged={onChanged} />
        )}
        {payment.matters_to_name && payment.matters_to_name.length > 0 && (
          <MatterSection payment={payment} onChanged={onChanged} />
        )}
        <Section title="Payment">
          <PaymentFacts payment={payment} />
        </Section>
        {payment.search && payment.clearing?.is_cleared && payment.allocation !== undefined && (
          <AllocationSection payment={payment} onChanged={onChanged} />
        )}
        {payment.bill && (
          <Section title="Lines of the bill">
            <PaidLines lines={payment.lines} />
          </Section>
        )}
        {payment.refunds.length > 0 && (
          <Section title="Refunds">
            <RefundsTable label="Refunds of this payment" refunds={payment.refunds} onChanged={onChanged} />
          </Section>
        )}
        {payment.disputes.length > 0 && (
          <Section title="Disputes">
            <DisputesTable disputes={payment.disputes} />
          </Section>
        )}
        <PaymentRecord payment={payment} />
      </div>
      {isRefunding && (
        <RefundDialog payment={payment} onClose={() => setRefunding(false)} onDone={onChanged} />
      )}
    </>
  );
}

/** The server refuses to refund a payment that the payer’s bank asks about, disputes or has taken back. */
const isUndisputed = ({ dispute }: StaffPaymentPage) => dispute === null || dispute === 'won';

function ReceiptButton({ payment: { id, receipt_number } }: { payment: StaffPaymentPage }) {
  const { isBusy, run } = useAction(showFailure);
  const download = async () =>
    saveFile(
      await callStaff('GET /staff/payments/{id}/receipt', { params: { id } }),
      `Receipt ${receipt_number}.pdf`,
    );
  return (
    <Button busy={isBusy} busyText="Preparing…" onClick={() => void run(download)}>
      Receipt (PDF)
    </Button>
  );
}

function PaymentFacts({ payment }: { payment: StaffPaymentPage }) {
  const { card, clearing } = payment;
  return (
    <Facts
      facts={[
        [
          'Case',
          <Link key="case" to={`/cases/${payment.case.id}`}>
            {payment.case.reference}, {payment.case.title}
          </Link>,
        ],
        [
          'Client',
          <Link key="payer" to={`/payments?payer=${payment.payer.id}`}>
            {payment.payer.name}
          </Link>,
        ],
        ['For', purposeName(payment.purpose)],
        ['Search', payment.search && `${payment.search.name} (${payment.search.reference})`],
        ['Bill', payment.bill && `${payment.bill.number} (${payment.bill.reference})`],
        ['Matter', payment.matter_reference],
        ['Client ledger', payment.ledger && describeClientBalance(payment.ledger)],
        ['Office ledger', payment.ledger && describeOfficeBalance(payment.ledger)],
        ['Client’s own reference', payment.reference],
        ['Receipt', payment.receipt_number],
        ['Receipt emailed to', payment.receipt_email],
        ['Started', formatShortMoment(payment.created_at)],
        ['Paid', payment.paid_at && formatShortMoment(payment.paid_at)],
        ['Refunded or on its way back', payment.refunded_amount > 0 && formatMoney(payment.refunded_amount)],
        [
          'Refunds that failed',
          payment.failed_refund_amount > 0 && formatMoney(payment.failed_refund_amount),
        ],
        [
          'Refunds waiting for approval',
          payment.awaiting_approval > 0 && formatMoney(payment.awaiting_approval),
        ],
        [
          'Paid by',
          payment.method === 'bank' ? 'Bank' : card ? `${card.brand} ending ${card.last4}` : 'Card',
        ],
        [
          'Card or account of',
          payment.own_card === false ? payment.card_holder : payment.own_card && 'the client',
        ],
        ['Last failure', payment.paid_at === null && payment.failure_code],
        [
          'Money',
          clearing &&
            `${clearing.is_cleared ? 'Cleared' : 'Expected to clear'} on ${formatShortDay(clearing.on)}`,
        ],
        ['Account', payment.account === 'business' ? 'Business account' : 'Client account'],
        ['On the payer’s statement', payment.statement_descriptor],
        ['Id', payment.id],
        ['Id at the provider', payment.provider_intent_id],
        ['Provider’s account', payment.provider_account_id],
      ]}
    />
  );
}
