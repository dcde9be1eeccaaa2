import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { CaseSearch, Client } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { useState } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useCaseState } from '../../../api/case/case-store.ts';
import { isBeingPaid } from '../../../api/case/payable-now.ts';
import { methodsFor, useMethodsConfig } from '../../../api/payments/payment-methods.ts';
import { usePaymentById } from '../../../api/payments/payment-queries.ts';
import { useAwaitsIdentityCheck } from '../../../api/payments/payment-rules.ts';
import { payerOf } from '../../../api/payments/started-payment.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { useBills } from '../../../api/queries/use-bills.ts';
import { useCaseSearches } from '../../../api/queries/use-case-searches.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { Link } from '../../../navigation/link.tsx';
import { Navigate } from '../../../navigation/navigate.tsx';
import { OtherPaymentBill, SearchBill } from '../frame/bill.tsx';
import screenStyles from '../frame/payment-frame.module.css';
import noticeStyles from '../frame/payment-notices.module.css';
import { NothingToPay, NotPayableYet, PaymentLoading } from '../frame/payment-notices.tsx';
import { isUnfinished } from '../status/payment-status.ts';
import { orderRequestFor } from './details-answers.ts';
import { DetailsForm } from './details-form.tsx';
import { SearchNotice } from './search-notice.tsx';
import { useStartOtherPayment, useStartSearchPayment } from './start-payment.ts';

/** Where the client checks what they pay for and confirms the details, before the payment screen. */
export default function PaymentDetailsPage() {
  const { otherPayment } = useCaseState();
  const client = useClient();
  if (!client.data)
    return client.error ? <Failure error={client.error} retry={client.refetch} /> : <PaymentLoading />;
  if (otherPayment) return <OtherPaymentDetails client={client.data} otherPayment={otherPayment} />;
  return <SearchDetails client={client.data} />;
}

function SearchDetails({ client }: { client: Client }) {
  const { caseSearchId } = useCaseState();
  const caseSearches = useCaseSearches();
  const awaitsIdentityCheck = useAwaitsIdentityCheck();
  if (caseSearches.data) {
    const caseSearch = caseSearches.data.find(({ id }) => id === caseSearchId);
    if (!caseSearch) return <NothingToPay caseSearches={caseSearches.data} />;
    const isOthers = payerOf(caseSearch.payment?.payer, client.id).kind === 'other';
    // The list may be outdated since the bank answered.
    if (isBeingPaid(caseSearch) && caseSearches.isFetching) return <PaymentLoading />;
    if (!caseSearch.payable || isBeingPaid(caseSearch) || isOthers) return <Navigate to="/payment" />;
    if (awaitsIdentityCheck({ purpose: 'search', matterId: caseSearch.matter_id })) return <NotPayableYet />;
    return <CheckSearch key={caseSearch.id} client={client} caseSearch={caseSearch} />;
  }
  if (caseSearches.error) return <Failure error={caseSearches.error} retry={caseSearches.refetch} />;
  return <PaymentLoading />;
}

function CheckSearch({ client, caseSearch }: { client: Client; caseSearch: CaseSearch }) {
  const tabStore = usePaymentTabStore();
  const methods = methodsFor(useMethodsConfig(), { purpose: 'search', amount: null });
  const startPayment = useStartSearchPayment(caseSearch);
  const { refetch } = useCaseSearches();
  const order = orderRequestFor(caseSearch);
  if (!order) return <BeingUpdated retry={refetch} />;
  return (
    <DetailsForm
      client={client}
      notice={<SearchNotice client={client} caseSearch={caseSearch} />}
      back={
        <Link to="/" className={screenStyles.back}>
          Back to your case
        </Link>
      }
      before={tabStore.confirmationFor(caseSearch.id)}
      methods={methods}
      order={order}
      startPayment={startPayment}
      bill={<SearchBill caseSearch={caseSearch} isOpen />}
    />
  );
}

function OtherPaymentDetails({ client, otherPayment }: { client: Client; otherPayment: OtherPayment }) {
  const startPayment = useStartOtherPayment();
  const { category: purpose, amount, matterId } = otherPayment;
  const awaitsIdentityCheck = useAwaitsIdentityCheck();
  // A payment that was started may have been paid or cancelled since, here or in another tab.
  const [wasStarted] = useState(otherPayment.paymentId !== null);
  const payment = usePaymentById(otherPayment.paymentId);
  const bills = useBills();
  const bill = bills.data?.find(({ id }) => id === otherPayment.bill?.id);
  const paysClientMoney = payment.data
    ? payment.data.lines.some(({ client_money }) => client_money)
    : bill?.pays_client_money;
  const methods = methodsFor(useMethodsConfig(), { purpose, amount, paysClientMoney });
  if (wasStarted && payment.isPending && payment.isFetching) return <PaymentLoading />;
  if (otherPayment.bill && bills.isPending && bills.isFetching) return <PaymentLoading />;
  if (payment.data && !isUnfinished(payment.data)) return <Navigate to="/payment" />;
  if (awaitsIdentityCheck({ purpose, matterId })) return <NotPayableYet />;
  return (
    <DetailsForm
      client={client}
      back={
        <Link to="/payment-other" className={screenStyles.back}>
          Back to change this payment
        </Link>
      }
      before={otherPayment.confirmed}
      methods={methods}
      order={null}
      startPayment={startPayment}
      bill={<OtherPaymentBill otherPayment={otherPayment} isOpen />}
    />
  );
}

/** Shown while a server of the last release answers, which has other words for the request to order. */
const BeingUpdated = ({ retry }: { retry(): unknown }) => (
  <div className={noticeStyles.notice}>
    <PageHeading>Check your payment</PageHeading>
    <Alert
      tone="information"
      title="We’re updating this page. Please try again in a few minutes."
      action={<Button onClick={() => void retry()}>Try again</Button>}
    >
      <p>You have not been charged.</p>
    </Alert>
  </div>
);

function Failure({ error, retry }: { error: Error; retry(): unknown }) {
  return (
    <div className={noticeStyles.notice}>
      <PageHeading>Check your payment</PageHeading>
      <Alert
        tone="danger"
        title={messageOf(error)}
        action={<Button onClick={() => void retry()}>Try again</Button>}
      >
        <p>You have not been charged.</p>
      </Alert>
    </div>
  );
}
