import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { useCaseSearches } from '../../api/queries.ts';
import { useCaseState } from '../../api/services.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { BankCheck } from './bank-check.tsx';
import { Bill } from './bill.tsx';
import { CardForm } from './card-form.tsx';
import { BankDetailsWarning, NothingToPay, PaymentLoading } from './payment-notices.tsx';
import { PaymentSteps } from './payment-steps.tsx';
import styles from './payments.module.css';
import { Receipt } from './receipt.tsx';
import { type SearchPayment, useSearchPayment } from './use-search-payment.ts';

/** Pay for the selected search. What is shown is where the payment really stands. */
export function PaymentPage() {
  const { caseSearchId } = useCaseState();
  return caseSearchId ? (
    <PaymentForSearch key={caseSearchId} caseSearchId={caseSearchId} />
  ) : (
    <NothingSelected />
  );
}

function NothingSelected() {
  const caseSearches = useCaseSearches();
  return caseSearches.data ? <NothingToPay caseSearches={caseSearches.data} /> : <PaymentLoading />;
}

function PaymentForSearch({ caseSearchId }: { caseSearchId: string }) {
  const payment = useSearchPayment(caseSearchId);
  if (payment.failure) {
    return (
      <div className={styles.notice}>
        <PageHeading>Pay by card</PageHeading>
        <Alert
          tone="danger"
          title={messageOf(payment.failure)}
          action={<Button onClick={payment.retry}>Try again</Button>}
        >
          <p>Nothing has been charged by opening this page.</p>
        </Alert>
        <Link to="/" className={buttonClass({ look: 'plain' })}>
          Back to your case
        </Link>
      </div>
    );
  }
  switch (payment.step) {
    case 'loading':
      return <PaymentLoading />;
    case 'confirm':
      return <Navigate to="/payment-details" replace />;
    case 'card':
      return (
        <Paying payment={payment} heading="Pay by card" lead="Your bank may ask you to confirm it is you.">
          <CardForm payment={payment} />
          <BankDetailsWarning />
        </Paying>
      );
    case 'bank':
      return (
        <Paying
          payment={payment}
          heading="Your bank asks you to confirm"
          lead="Nothing is charged until you have. If you have closed your bank's page, go on here."
        >
          <BankCheck payment={payment} />
        </Paying>
      );
    case 'checking':
      return (
        <Paying payment={payment} heading="We are checking your payment" lead="Please do not pay again.">
          <Alert
            tone="information"
            takesFocus
            title="This page changes by itself as soon as your bank has answered."
          >
            <p>
              It usually takes a few seconds. You may also leave it: what you have paid will stand on your
              home page.
            </p>
          </Alert>
        </Paying>
      );
    case 'paid':
      return payment.payment && payment.caseSearch ? (
        <Receipt payment={payment.payment} caseSearch={payment.caseSearch} />
      ) : (
        <PaymentLoading />
      );
    case 'gone':
      return (
        <div className={styles.notice}>
          <PageHeading>This cannot be paid at the moment</PageHeading>
          <p>You have not been charged. The search may have been ordered or cancelled meanwhile.</p>
          <Link to="/" className={buttonClass({})}>
            Back to your case
          </Link>
        </div>
      );
  }
}

function Paying(props: { payment: SearchPayment; heading: string; lead: string; children: ReactNode }) {
  const { caseSearch, step } = props.payment;
  return (
    <div className={styles.page}>
      {step === 'card' ? (
        <Link to="/payment-details" className={styles.back}>
          Back to check your payment
        </Link>
      ) : (
        <Link to="/" className={styles.back}>
          Back to your case
        </Link>
      )}
      <div className={styles.columns}>
        <div>
          <PaymentSteps at="Pay" />
          <PageHeading>{props.heading}</PageHeading>
          <p className={styles.lead}>{props.lead}</p>
          {props.children}
        </div>
        {caseSearch && <Bill caseSearch={caseSearch} />}
      </div>
    </div>
  );
}
