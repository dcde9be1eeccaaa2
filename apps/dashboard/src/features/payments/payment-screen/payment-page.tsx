import { Link, Navigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useCaseState, useCaseStore } from '../../../api/case/use-case-state.ts';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { useCaseSearches } from '../../../api/queries/use-case-searches.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button, buttonClass } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import { Receipt } from '../receipt/receipt.tsx';
import type { CardInput } from '../sandbox/card-input.ts';
import { SandboxBankCheck } from '../sandbox/sandbox-bank-check.tsx';
import { SandboxCardForm } from '../sandbox/sandbox-card-form.tsx';
import { OtherPaymentBill, SearchBill } from '../shared/bill.tsx';
import { CancelPayment } from '../shared/cancel-payment.tsx';
import type { Payable } from '../shared/payable.ts';
import { fullName } from '../shared/payer.ts';
import formStyles from '../shared/payment-form.module.css';
import screenStyles from '../shared/payment-frame.module.css';
import { PaymentFrame } from '../shared/payment-frame.tsx';
import noticeStyles from '../shared/payment-notices.module.css';
import {
  BankDetailsWarning,
  NothingToPay,
  NotPayable,
  PaymentCancelled,
  PaymentLoading,
} from '../shared/payment-notices.tsx';
import { QuoteReference } from '../shared/quote-reference.tsx';
import { StripeBankCheck } from '../stripe/stripe-bank-check.tsx';
import { StripeForm } from '../stripe/stripe-form.tsx';
import { mayBePaying, PaidElsewhere, payingWords, usePayer } from './paid-elsewhere.tsx';
import styles from './payment-page.module.css';
import { PaymentUnderReview } from './payment-under-review.tsx';
import { type PaymentInUse, usePayment } from './use-payment.ts';

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
  const payer = usePayer(payment);
  const card = useCardInput(payable, payment);
  const [isCanceled, setCanceled] = useState(false);
  useForgetWhenLeft(payment, isCanceled);
  if (isCanceled) return <PaymentCancelled payable={payable} />;
  if (payment.step === 'review') return <PaymentUnderReview />;
  if (payment.failure) return <Failure payment={payment} error={payment.failure} />;
  const cancel = payment.payment && !payment.busy && (
    <div className={styles.cancel}>
      <CancelPayment
        payment={payment.payment}
        warning={payment.step === 'elsewhere' ? mayBePaying(payer) : ''}
        onCancelled={() => setCanceled(true)}
      />
    </div>
  );
  const atStripe = payment.intent?.provider === 'stripe' ? payment.intent : undefined;
  switch (payment.step) {
    case 'loading':
      return <PaymentLoading />;
    case 'confirm':
      return <Navigate to="/payment-details" replace />;
    case 'card':
      return (
        <Paying payment={payment} heading="Pay by card" lead="Your bank may ask you to confirm it is you.">
          {atStripe ? (
            <StripeForm payment={payment} intent={atStripe} payerName={card.input.name} />
          ) : (
            <SandboxCardForm payment={payment} {...card} />
          )}
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
          {atStripe ? (
            <StripeBankCheck payment={payment} intent={atStripe} />
          ) : (
            <SandboxBankCheck payment={payment} />
          )}
          {cancel}
        </Paying>
      );
    case 'elsewhere':
      if (payer.kind === 'me' && payment.payment?.status === 'processing')
        return <Checking payment={payment} />;
      return (
        <Paying payment={payment} {...payingWords(payer)}>
          <PaidElsewhere payment={payment} payer={payer} />
          {payment.payment?.status === 'requires_action' && cancel}
        </Paying>
      );
    case 'checking':
      return <Checking payment={payment} />;
    case 'paid':
      return payment.payment && (payment.caseSearch || payment.otherPayment) ? (
        <Receipt payment={payment.payment} caseSearch={payment.caseSearch} />
      ) : (
        <PaymentLoading />
      );
    case 'gone':
      return payable.kind === 'other' ? <PaymentCancelled payable={payable} /> : <NotPayable />;
  }
}

function Failure({ payment, error }: { payment: PaymentInUse; error: Error }) {
  const phone = useServices().config.firm?.phone;
  const isHeldBack = error instanceof ApiError && error.code === 'too_many_payment_attempts';
  return (
    <div className={noticeStyles.notice}>
      <PageHeading>Pay by card</PageHeading>
      <Alert
        tone="danger"
        title={messageOf(error)}
        action={<Button onClick={payment.retry}>Try again</Button>}
      >
        <p>
          {isHeldBack ? 'You have not been charged.' : 'Nothing has been charged by opening this page.'}
          {isHeldBack && phone && (
            <>
              {' '}
              Our number is <PhoneLink phone={phone} />.
            </>
          )}
        </p>
      </Alert>
      <QuoteReference />
      <Link to="/payments" className={buttonClass({ look: 'plain' })}>
        See your payments
      </Link>
    </div>
  );
}

function Checking({ payment }: { payment: PaymentInUse }) {
  return (
    <Paying payment={payment} heading="We are checking your payment" lead="Please do not pay again.">
      <Alert
        tone="information"
        takesFocus
        className={formStyles.formAlert}
        title="This page changes by itself as soon as your bank has answered."
      >
        <p>
          It usually takes a few seconds. You may also leave it: what you have paid will stand on your home
          page.
        </p>
      </Alert>
    </Paying>
  );
}

/** What is typed of a card, in memory alone: until it is paid, whatever stands on the screen meanwhile. */
function useCardInput(payable: Payable, { step, payment }: PaymentInUse) {
  const client = useClient().data;
  const visit = usePaymentTabStore();
  const [typed, setTyped] = useState<Partial<CardInput>>({});
  const said =
    payable.kind === 'other' ? payable.otherPayment.confirmed : visit.confirmationFor(payable.caseSearchId);
  const othersName = payment?.payer.own_card === false ? payment.payer.name : null;
  const name = said?.payer_name ?? othersName ?? (client ? fullName(client) : '');
  const isDone = step === 'paid' || step === 'gone';
  useEffect(() => {
    if (isDone) setTyped({});
  }, [isDone]);
  return {
    input: { number: '', expiry: '', securityCode: '', name, ...typed },
    onInput: (change: Partial<CardInput>) => setTyped((before) => ({ ...before, ...change })),
  };
}

/** A receipt can be seen again after a reload; once it is left, the other payment that it is for is done with. */
function useForgetWhenLeft({ step, otherPayment }: PaymentInUse, isCanceled: boolean) {
  const router = useRouter();
  const caseState = useCaseStore();
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
    <PaymentFrame
      back={
        step === 'card' ? (
          <Link to="/payment-details" className={screenStyles.back}>
            Back to check your payment
          </Link>
        ) : (
          <Link to="/" className={screenStyles.back}>
            Back to your case
          </Link>
        )
      }
      at="Pay"
      heading={props.heading}
      lead={props.lead}
      bill={
        otherPayment ? (
          <OtherPaymentBill otherPayment={otherPayment} />
        ) : (
          caseSearch && <SearchBill caseSearch={caseSearch} />
        )
      }
    >
      {props.children}
    </PaymentFrame>
  );
}
