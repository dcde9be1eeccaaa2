import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { CaseSearch, ConveyancingCase, Payment } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { type ReactElement, useEffect, useState } from 'react';
import { useCaseState, useCaseStore } from '../../../api/case/case-store.ts';
import { emptyText } from '../../../api/case/empty-text.ts';
import { isPayableNow } from '../../../api/case/payable-now.ts';
import { useBankDetailsText } from '../../../api/case/use-bank-details-text.ts';
import { useOffersOtherPayments, useOtherPurposes } from '../../../api/payments/use-card-purposes.ts';
import { useCaseSearches } from '../../../api/queries/use-case-searches.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { usePayments } from '../../../api/queries/use-payments.ts';
import { useIsSwitchingCase } from '../../../api/queries/use-switch-case.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { useQuery } from '../../../navigation/navigation.tsx';
import { FraudWarning } from '../../../ui/content/fraud-warning.tsx';
import { MoneyLines } from '../../../ui/content/money-lines.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { PaymentLinkPage } from '../link-screen/payment-link-page.tsx';
import { paymentCategoryTexts } from '../status/payment-categories.ts';
import { paymentTotals, searchesPaidByOtherMethod } from '../status/payment-status.ts';
import { BillsDueLater } from './bills-due-later.tsx';
import { PaymentList, PaymentListSkeleton } from './payment-list.tsx';
import { PaymentsDue, PaymentsDueSkeleton } from './payments-due.tsx';
import styles from './payments-page.module.css';

/** The client’s payments, or one that the firm asked for: `/payments?link={id}`. */
export default function PaymentsPage(): ReactElement {
  const linkId = useQuery().get('link');
  return linkId !== null ? <PaymentLinkPage key={linkId} id={linkId} /> : <AllPayments />;
}

/** What is due, every payment with its status and receipt, and a link to pay for something else. */
function AllPayments() {
  const isSwitching = useIsSwitchingCase();
  const client = useClient();
  const caseSearches = useCaseSearches();
  const payments = usePayments();
  useForgetPaidEntry(payments.data);
  const { lastCancelled, onCancelled } = useLastCancelled();
  const conveyancingCase = isSwitching ? undefined : client.data?.conveyancing_case;
  const isLoading = !conveyancingCase || !caseSearches.data;
  const error = client.error ?? caseSearches.error;
  const isWaiting =
    conveyancingCase !== null &&
    ((isLoading && !error) || (!payments.data && !payments.error) || isSwitching);
  return (
    <>
      <div className={styles.head}>
        <PageHeading>Payments</PageHeading>
        <p>What is due and what you have paid, with your receipts.</p>
      </div>
      <div className={styles.columns} data-waiting={isWaiting || undefined}>
        <div className={styles.column}>
          {lastCancelled && <CancelledNotice key={lastCancelled.id} payment={lastCancelled} />}
          {conveyancingCase === null ? (
            <Panel title="Due now">
              <p className={styles.empty}>
                You have no case with us at the moment. Once you do, its costs appear here.
              </p>
            </Panel>
          ) : isLoading ? (
            error && !isSwitching ? (
              <LoadFailure
                what="What is due"
                message={messageOf(error)}
                isTrying={client.isFetching || caseSearches.isFetching}
                onRetry={() => void Promise.all([client.refetch(), caseSearches.refetch()])}
              />
            ) : (
              <PaymentsDueSkeleton />
            )
          ) : (
            <PaymentsDue
              conveyancingCase={conveyancingCase}
              caseSearches={caseSearches.data}
              payments={payments.data}
              onCancelled={onCancelled}
            />
          )}
          {conveyancingCase && <BillsDueLater />}
          {payments.data && conveyancingCase && caseSearches.data ? (
            <YourPayments
              payments={payments.data}
              caseSearches={caseSearches.data}
              conveyancingCase={conveyancingCase}
              onCancelled={onCancelled}
            />
          ) : payments.error && !isSwitching ? (
            <LoadFailure
              what="Your payments"
              message={messageOf(payments.error)}
              isTrying={payments.isFetching}
              onRetry={() => void payments.refetch()}
            />
          ) : (
            // Waits for the content above, which would move it down.
            conveyancingCase !== null &&
            (!isLoading || error) && (
              <Panel title="Your payments">
                <PaymentListSkeleton />
              </Panel>
            )
          )}
        </div>
        <aside className={styles.side} aria-label="Other payments, and bank details">
          <PayForSomethingElse />
          <FraudWarning text={useBankDetailsText()} />
        </aside>
      </div>
    </>
  );
}

function PayForSomethingElse() {
  const others = useOtherPurposes({ isAskedFor: false });
  if (!useOffersOtherPayments()) return null;
  const examples = others.filter((category) => category !== 'legal_fees' && category !== 'other').slice(0, 2);
  return (
    <Panel small title="Pay for something else">
      {examples.length > 0 && (
        <p className={styles.soft}>
          For example:{' '}
          {examples.map((category) => paymentCategoryTexts[category].name.toLowerCase()).join(', ')}.
        </p>
      )}
      <Link to="/payment-other" className={buttonClass({ look: 'quiet', size: 'full' })}>
        Make another payment
      </Link>
    </Panel>
  );
}

/**
 * The payment that the client cancelled last on this screen. An other payment that was entered in this browser is
 * removed.
 */
function useLastCancelled() {
  const caseState = useCaseStore();
  const [lastCancelled, setLastCancelled] = useState<Payment | null>(null);
  const onCancelled = (payment: Payment) => {
    setLastCancelled(payment);
    const { otherPayment } = caseState.get();
    if (otherPayment?.paymentId === payment.id) caseState.forgetOtherPayment(otherPayment.idempotencyKey);
  };
  return { lastCancelled, onCancelled };
}

function CancelledNotice({ payment: { amount, description } }: { payment: Payment }) {
  return (
    <Alert tone="information" takesFocus title={`${formatMoney(amount)} for ${description} is cancelled.`}>
      <p>Nothing was charged.</p>
    </Alert>
  );
}

/**
 * Removes the other payment that was entered last once it is paid, because it is then in the list with its receipt.
 */
function useForgetPaidEntry(payments: Payment[] | undefined) {
  const caseState = useCaseStore();
  const { otherPayment } = useCaseState();
  const paidKey = payments?.some(({ id, paid_at }) => id === otherPayment?.paymentId && paid_at !== null)
    ? otherPayment?.idempotencyKey
    : undefined;
  useEffect(() => {
    if (paidKey !== undefined) caseState.forgetOtherPayment(paidKey);
  }, [paidKey, caseState]);
}

interface YourPaymentsProps {
  payments: Payment[];
  caseSearches: CaseSearch[];
  conveyancingCase: ConveyancingCase;
  onCancelled(payment: Payment): void;
}

function YourPayments({ payments, caseSearches, conveyancingCase, onCancelled }: YourPaymentsProps) {
  const { config } = useServices();
  const paidOtherwise = searchesPaidByOtherMethod(caseSearches, payments);
  const { paid, refunded } = paymentTotals(payments, paidOtherwise);
  // A payment of a search that is due is in the list above, where it can be continued.
  const isDue = ({ id }: Payment) =>
    caseSearches.some((caseSearch) => isPayableNow(caseSearch) && caseSearch.payment?.id === id);
  const listed = payments.filter((payment) => !isDue(payment));
  const isEmpty = listed.length + paidOtherwise.length === 0;
  return (
    <Panel title="Your payments">
      {isEmpty && (
        <p className={styles.empty}>
          {emptyText(
            conveyancingCase.status,
            'None yet. A payment appears here once it is paid, with its receipt.',
          )}
        </p>
      )}
      {config.payments.provider === 'sandbox' && listed.length > 0 && (
        <p className={styles.sub}>Test payments. No money moves.</p>
      )}
      <PaymentList
        payments={listed}
        onCancelled={onCancelled}
        paidOtherwise={paidOtherwise}
        caseSearches={caseSearches}
        matters={conveyancingCase.matters}
      />
      {!isEmpty && (
        <div className={styles.sums}>
          <MoneyLines
            lines={[
              ...(refunded > 0
                ? [
                    { label: 'Paid', amount: paid },
                    { label: 'Refunds', amount: -refunded },
                  ]
                : []),
              { label: 'Paid in total', amount: paid - refunded, total: true },
            ]}
          />
        </div>
      )}
    </Panel>
  );
}
