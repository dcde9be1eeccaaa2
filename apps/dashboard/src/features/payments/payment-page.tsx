import { Link, Navigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { useCaseSearches } from '../../api/queries.ts';
import { useCaseState, useServices } from '../../api/services.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { BankCheck } from './bank-check.tsx';
import { OtherPaymentBill, SearchBill } from './bill.tsx';
import { CancelPayment } from './cancel-payment.tsx';
import { CardForm } from './card-form.tsx';
import {
  BankDetailsWarning,
  NothingToPay,
  NotPayable,
  PaymentCanceled,
  PaymentLoading,
} from './payment-notices.tsx';
import { PaymentSteps } from './payment-steps.tsx';
import styles from './payments.module.css';
import { Receipt } from './receipt.tsx';
import { type Payable, type PaymentInUse, usePayment } from './use-payment.ts';

/** Pay for the selected search, or the other payment just entered. What is shown is where it really stands. */
export function PaymentPage() {
  const { caseSearchId, otherPayment } = useCaseState();
  if (otherPayment) {
    return <PaymentFor key={otherPayment.idempotencyKey} payable={{ kind: 'other', otherPayment }} />;
  }
  if (caseSearchId) return <PaymentFor key={caseSearchId} payable={{ kind: 'search', caseSearchId }} />;
  return <NothingSelected />;
}

function NothingSelected() {
  const caseSearches = useCaseSearches();
  return caseSearches.data ? <NothingToPay caseSearches={caseSearches.data} /> : <PaymentLoading />;
}

function PaymentFor({ payable }: { payable: Payable }) {
  const payment = usePayment(payable);
  const [isCanceled, setCanceled] = useState(false);
  useForgetWhenLeft(payment, isCanceled);
  if (isCanceled) return <PaymentCanceled payable={payable} />;
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
        <Link to="/payments" className={buttonClass({ look: 'plain' })}>
          See your payments
        </Link>
      </div>
    );
  }
  const cancel = payment.payment && !payment.busy && (
    <div className={styles.cancel}>
      <CancelPayment payment={payment.payment} onCanceled={() => setCanceled(true)} />
    </div>
  );
  switch (payment.step) {
    case 'loading':
      return <PaymentLoading />;
    case 'confirm':
      return <Navigate to="/payment-details" replace />;
    case 'card':
      return (
        <Paying payment={payment} heading="Pay by card" lead="Your bank may ask you to confirm it is you.">
          <CardForm payment={payment} />
          {cancel}
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
          {cancel}
        </Paying>
      );
    case 'checking':
      return (
        <Paying payment={payment} heading="We are checking your payment" lead="Please do not pay again.">
          <Alert
            tone="information"
            takesFocus
            className={styles.formAlert}
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
      return payment.payment && (payment.caseSearch || payment.otherPayment) ? (
        <Receipt payment={payment.payment} caseSearch={payment.caseSearch} />
      ) : (
        <PaymentLoading />
      );
    case 'gone':
      return payable.kind === 'other' ? <PaymentCanceled payable={payable} /> : <NotPayable />;
  }
}

/** A receipt can be seen again after a reload; once it is left, the other payment that it is for is done with. */
function useForgetWhenLeft({ step, otherPayment }: PaymentInUse, isCanceled: boolean) {
  const router = useRouter();
  const { caseState } = useServices();
  const isDone = isCanceled || step === 'paid' || step === 'gone';
  const doneKey = isDone ? otherPayment?.idempotencyKey : undefined;
  useEffect(() => {
    if (doneKey === undefined) return undefined;
    let isLeft = false;
    const stop = router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      isLeft = pathChanged;
    });
    return () => {
      stop();
      if (isLeft) caseState.forgetOtherPayment(doneKey);
    };
  }, [doneKey, router, caseState]);
}

function Paying(props: { payment: PaymentInUse; heading: string; lead: string; children: ReactNode }) {
  const { caseSearch, otherPayment, step } = props.payment;
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
        {caseSearch && <SearchBill caseSearch={caseSearch} />}
        {otherPayment && <OtherPaymentBill otherPayment={otherPayment} />}
      </div>
    </div>
  );
}
