import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import { type Bill, type Client, isClosed } from '@keyturn/contract';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { useState } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useCaseState } from '../../../api/case/case-store.ts';
import { usePayOtherwise } from '../../../api/payments/pay-otherwise.ts';
import { usePaymentById } from '../../../api/payments/payment-queries.ts';
import { useCardPurposes, useOffersOtherPayments } from '../../../api/payments/use-card-purposes.ts';
import { useBills } from '../../../api/queries/use-bills.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { Link } from '../../../navigation/link.tsx';
import { useQuery } from '../../../navigation/navigation.tsx';
import { BillDetails } from '../frame/bill-details.tsx';
import { NoCardPayments } from '../frame/no-card-payments.tsx';
import formStyles from '../frame/payment-form.module.css';
import screenStyles from '../frame/payment-frame.module.css';
import { isUnfinished } from '../status/payment-status.ts';
import { formatAmountInput } from './amount-input.ts';
import { CardLimits } from './card-limits.tsx';
import type { OtherPaymentEntry } from './other-payment-entry.ts';
import { OtherPaymentForm } from './other-payment-form.tsx';
import styles from './other-payment-page.module.css';
import { type OtherPaymentSearch, readOtherPaymentSearch } from './other-payment-search.ts';
import { OtherPaymentSkeleton } from './other-payment-skeleton.tsx';

/** Where the client enters a payment that is not for a search, or opens a bill to pay it. */
export default function OtherPaymentPage() {
  const client = useClient();
  const { bill: billId } = readOtherPaymentSearch(useQuery());
  const heading = useHeading(billId);
  if (useCardPurposes().others.length === 0) {
    return (
      <div className={screenStyles.page}>
        <BackToPayments />
        <PageHeading>{heading}</PageHeading>
        <NoCardPayments className={screenStyles.lead} />
      </div>
    );
  }
  return (
    <div className={screenStyles.page}>
      <BackToPayments />
      <div className={styles.columns}>
        <div>
          <PageHeading>{heading}</PageHeading>
          <p className={screenStyles.lead}>
            {billId === undefined && 'For anything other than a property search. '}You can check it on the
            next page before you pay.
          </p>
          {client.data ? (
            <Entry client={client.data} />
          ) : client.error ? (
            <div className={formStyles.group}>
              <LoadFailure
                what="This form"
                message={messageOf(client.error)}
                isTrying={client.isFetching}
                onRetry={() => void client.refetch()}
              />
            </div>
          ) : (
            <OtherPaymentSkeleton />
          )}
        </div>
        <CardLimits />
      </div>
    </div>
  );
}

function useHeading(billId: string | undefined): string {
  const bill = useBills().data?.find(({ id }) => id === billId);
  if (billId === undefined) return 'Make another payment';
  return bill ? `Pay our bill ${bill.number}` : 'Pay our bill';
}

const BackToPayments = () => (
  <Link to="/payments" className={screenStyles.back}>
    Back to your payments
  </Link>
);

/** The form, filled in from the address, or otherwise with the last unfinished payment. */
function Entry({ client }: { client: Client }) {
  const requested = readOtherPaymentSearch(useQuery());
  const { otherPayment } = useCaseState();
  const [entered] = useState(otherPayment);
  const stored = isFilledIn(requested) ? null : entered;
  const startedPayment = usePaymentById(entered?.paymentId ?? null);
  const bills = useBills();
  const payOtherwise = usePayOtherwise();
  const offersOthers = useOffersOtherPayments();
  if (client.conveyancing_case === null) {
    return (
      <p className={formStyles.group}>
        You have no case with us at the moment. Once you do, you can pay here.
      </p>
    );
  }
  if (stored?.paymentId && startedPayment.isPending) return <OtherPaymentSkeleton />;
  const isOnlyForBills = isClosed(client.conveyancing_case.status);
  if ((requested.bill || isOnlyForBills) && bills.isPending) return <OtherPaymentSkeleton />;
  if (isOnlyForBills && !bills.data?.some(({ payable }) => payable > 0))
    return <p className={formStyles.group}>Your case is closed, and you have nothing left to pay for it.</p>;
  const namedBill = bills.data?.find(({ id }) => id === requested.bill);
  const requestedBill = namedBill && namedBill.payable > 0 ? namedBill : undefined;
  if (requested.bill && !bills.data)
    return (
      <div className={formStyles.group}>
        <LoadFailure
          what="This bill"
          message={messageOf(bills.error)}
          isTrying={bills.isFetching}
          onRetry={() => void bills.refetch()}
        />
      </div>
    );
  if (requested.bill && !requestedBill)
    return (
      <>
        {namedBill && <BillDetails bill={namedBill} />}
        <p className={formStyles.group}>
          This bill has nothing left to pay here. Your payments page shows what has been paid or started for
          it.
        </p>
      </>
    );
  const payOtherwiseOf = ({ pays_client_money: paysClientMoney, matter_id: matterId }: Bill) =>
    payOtherwise({ purpose: 'legal_fees', amount: null, paysClientMoney, matterId });
  const how = requestedBill ? payOtherwiseOf(requestedBill) : null;
  if (requestedBill && how !== null)
    return (
      <>
        <BillDetails bill={requestedBill} />
        <p className={formStyles.group}>{how}</p>
      </>
    );
  const isAsked = client.conveyancing_case.tasks.some(
    ({ kind, status }) => kind === 'pay' && status === 'open',
  );
  if (
    !isAsked &&
    !stored &&
    !offersOthers &&
    !bills.data?.some(({ payable }) => payable > 0) &&
    !bills.isPending
  )
    return (
      <p className={formStyles.group}>
        We haven’t asked you to pay anything here at the moment. If you’d like to pay something, please call
        us.
      </p>
    );
  const amount = requestedBill?.payable ?? requested.amount;
  const isOver = startedPayment.data !== undefined && !isUnfinished(startedPayment.data);
  const unfinished = stored?.paymentId && !isOver ? stored : null;
  const before: OtherPaymentEntry =
    stored && !isOver
      ? {
          category: stored.category,
          amount: formatAmountInput(stored.amount),
          reference: stored.reference ?? '',
          matterId: stored.matterId,
          billId: stored.bill?.id ?? null,
        }
      : {
          category: requestedBill ? 'legal_fees' : null,
          amount: amount === undefined ? '' : formatAmountInput(amount),
          reference: requested.for ?? '',
          matterId: requested.matter ?? null,
          billId: requestedBill?.id ?? null,
        };
  return (
    <>
      {requestedBill && <BillDetails bill={requestedBill} />}
      <OtherPaymentForm
        conveyancingCase={client.conveyancing_case}
        bills={payableBills(bills.data ?? [], unfinished).filter(
          (bill) => bill.id === unfinished?.bill?.id || payOtherwiseOf(bill) === null,
        )}
        before={before}
        isForOneBill={requestedBill !== undefined}
        unfinished={unfinished}
        finishedKey={isOver && entered ? entered.idempotencyKey : null}
      />
    </>
  );
}

/** The bills with an amount left to pay. An unfinished payment can be changed, so its amount counts as left. */
const payableBills = (bills: Bill[], unfinished: OtherPayment | null): Bill[] =>
  bills
    .map((bill) => ({
      ...bill,
      payable: bill.payable + (unfinished?.bill?.id === bill.id ? unfinished.amount : 0),
    }))
    .filter(({ payable }) => payable > 0);

const isFilledIn = (search: OtherPaymentSearch) => Object.values(search).some((value) => value !== undefined);
