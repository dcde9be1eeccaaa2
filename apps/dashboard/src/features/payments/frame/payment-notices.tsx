import type { CaseSearch, Payment } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { afterIdentityCheck } from '@keyturn/format/payments/unasked-payments';
import { Button, buttonClass } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useEffect, useRef } from 'react';
import { useCaseStore } from '../../../api/case/case-store.ts';
import { emptyText } from '../../../api/case/empty-text.ts';
import { isPayableNow } from '../../../api/case/payable-now.ts';
import { useBankDetailsText } from '../../../api/case/use-bank-details-text.ts';
import { startedPayment } from '../../../api/payments/started-payment.ts';
import { useCardPurposes, useOffersOtherPayments } from '../../../api/payments/use-card-purposes.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { Link } from '../../../navigation/link.tsx';
import { useNavigate } from '../../../navigation/navigation.tsx';
import { NoCardPayments } from './no-card-payments.tsx';
import type { Payable } from './payable.ts';
import screenStyles from './payment-frame.module.css';
import styles from './payment-notices.module.css';

/** Shown when nothing is selected or entered, with the searches that can be paid for. */
export function NothingToPay({ caseSearches }: { caseSearches: CaseSearch[] }) {
  const caseState = useCaseStore();
  const navigate = useNavigate();
  const client = useClient().data;
  const clientId = client?.id;
  const status = client?.conveyancing_case?.status ?? 'active';
  const acceptsPayments = useCardPurposes().accepts('search');
  const payable = caseSearches.filter(isPayableNow);
  const open = (id: string, path: '/payment' | '/payment-details') => {
    caseState.selectCaseSearch(id);
    void navigate(path);
  };
  return (
    <div className={styles.notice}>
      <PageHeading>
        {!acceptsPayments
          ? 'You can’t pay by card here'
          : payable.length > 0
            ? 'What would you like to pay for?'
            : 'There is nothing to pay'}
      </PageHeading>
      {!acceptsPayments && <NoCardPayments />}
      {acceptsPayments && payable.length === 0 && (
        <p>
          {emptyText(status, 'When a search is ready to be paid for, it appears here and on your home page.')}
        </p>
      )}
      <ul className={styles.choices}>
        {payable.map((caseSearch) => {
          const { id, name, price } = caseSearch;
          const started = startedPayment(caseSearch, clientId);
          return (
            <li key={id}>
              <div>
                {name}
                {started && <p className={styles.started}>{started.text}</p>}
              </div>
              <Button look="quiet" onClick={() => open(id, started ? '/payment' : '/payment-details')}>
                {started ? started.action : `Pay ${formatMoney(price.gross)}`}
                <VisuallyHidden>{started ? `: ${name}` : ` for ${name}`}</VisuallyHidden>
              </Button>
            </li>
          );
        })}
      </ul>
      <div className={styles.ways}>
        <Link to="/" className={buttonClass({ look: payable.length > 0 ? 'quiet' : 'primary' })}>
          Back to your case
        </Link>
        <PaymentLinks look="plain" />
      </div>
    </div>
  );
}

/** The ways on from a notice that the client can only read. */
export const NoticeLinks = () => (
  <div className={styles.ways}>
    <Link to="/payments" className={buttonClass({})}>
      See your payments
    </Link>
    <Link to="/" className={buttonClass({ look: 'plain' })}>
      Back to your case
    </Link>
  </div>
);

function PaymentLinks({ look }: { look: 'primary' | 'plain' }) {
  const offersOthers = useOffersOtherPayments();
  return (
    <>
      <Link to="/payments" className={buttonClass({ look })}>
        See your payments
      </Link>
      {offersOthers && (
        <Link to="/payment-other" className={buttonClass({ look: 'plain' })}>
          Make another payment
        </Link>
      )}
    </>
  );
}

/**
 * Shown when the payment was cancelled, on this page or elsewhere. Names the joint client who cancelled it. One that the
 * provider stopped can be started again as it was entered.
 */
export function PaymentCancelled({ payable, payment }: { payable: Payable; payment?: Payment | undefined }) {
  const clientId = useClient().data?.id;
  const caseState = useCaseStore();
  const navigate = useNavigate();
  const by = payment?.cancelled_by;
  const notice = useRef<HTMLDivElement>(null);
  // It replaces what the client was doing, so reading continues at its heading.
  useEffect(() => notice.current?.querySelector('h1')?.focus(), []);
  if (payable.kind === 'other' && payment?.stopped_by_provider && !by) {
    const startAgain = () => {
      caseState.enterOtherPayment({
        ...payable.otherPayment,
        idempotencyKey: crypto.randomUUID(),
        confirmed: null,
        paymentId: null,
      });
      void navigate('/payment-details');
    };
    return (
      <div className={styles.notice} ref={notice}>
        <PageHeading>This payment was stopped</PageHeading>
        <p>It was stopped before any money moved. You have not been charged.</p>
        <div className={styles.ways}>
          <Button onClick={startAgain}>Start again</Button>
          <PaymentLinks look="plain" />
        </div>
      </div>
    );
  }
  return (
    <div className={styles.notice} ref={notice}>
      <PageHeading>
        {by && by.id !== clientId ? `${by.first_name} cancelled this payment` : 'This payment is cancelled'}
      </PageHeading>
      <p>
        You have not been charged.{' '}
        {payable.kind === 'other'
          ? 'If you still want to pay, enter the payment again.'
          : 'You can pay for the search later.'}
      </p>
      <div className={styles.ways}>
        <PaymentLinks look="primary" />
      </div>
    </div>
  );
}

/** Shown when a search was ordered or cancelled while the client was about to pay. */
export function NotPayable() {
  return (
    <div className={styles.notice}>
      <PageHeading>This cannot be paid at the moment</PageHeading>
      <p>You have not been charged. The search may have been ordered or cancelled in the meantime.</p>
      <Link to="/" className={buttonClass({})}>
        Back to your case
      </Link>
    </div>
  );
}

/** Shown for what comes after an identity check that is not done. */
export const NotPayableYet = () => (
  <div className={styles.notice}>
    <PageHeading>You can’t pay this yet</PageHeading>
    <p>{afterIdentityCheck} You have not been charged.</p>
    <NoticeLinks />
  </div>
);

export function PaymentLoading() {
  return (
    <div className={screenStyles.page} aria-busy="true">
      <div className={screenStyles.screen}>
        <div>
          <PageHeading>
            <VisuallyHidden>Loading your payment</VisuallyHidden>
            <Skeleton height={40} width="60%" className={styles.loadingHead} />
          </PageHeading>
        </div>
        <Skeleton className={styles.loadingBill} height={300} />
        <div>
          <Skeleton lines={2} />
          <Skeleton height={320} />
        </div>
      </div>
    </div>
  );
}

export function BankDetailsWarning() {
  return <p className={styles.warning}>{useBankDetailsText()}</p>;
}
