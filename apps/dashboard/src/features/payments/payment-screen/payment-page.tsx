import { Link, Navigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useCaseState, useCaseStore } from '../../../api/case/use-case-state.ts';
import { messageOf } from '../../../api/client/api-error.ts';
import { hasErrorCode } from '../../../api/payments/has-error-code.ts';
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
import { fullName, type Payer } from '../shared/payer.ts';
import formStyles from '../shared/payment-form.module.css';
import frameStyles from '../shared/payment-frame.module.css';
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
import { cancelWarning, PaidElsewhere, paidElsewhereHeading, usePayer } from './paid-elsewhere.tsx';
import styles from './payment-page.module.css';
import { PaymentUnderReview } from './payment-under-review.tsx';
import { type PaymentOnScreen, usePayment } from './use-payment.ts';

/** Where the client pays for the selected search, or makes the other payment that they entered. */
export function PaymentPage() {
  const { caseSearchId, otherPayment, generation } = useCaseState();
  if (otherPayment) {
    const key = `${generation} ${otherPayment.idempotencyKey}`;
    return <PaymentFor key={key} payable={{ kind: 'other', otherPayment }} />;
  }
  if (caseSearchId)
    return <PaymentFor key={`${generation} ${caseSearchId}`} payable={{ kind: 'search', caseSearchId }} />;
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
  const [isCancelled, setCancelled] = useState(false);
  useForgetWhenLeft(payment, isCancelled);
  if (isCancelled) return <PaymentCancelled payable={payable} />;
  if (payment.step === 'review') return <PaymentUnderReview />;
  if (payment.failure) return <Failure payment={payment} error={payment.failure} />;
  const cancel = <CancelButton payment={payment} payer={payer} onCancelled={() => setCancelled(true)} />;
  switch (payment.step) {
    case 'loading':
      return <PaymentLoading />;
    case 'confirm':
      return <Navigate to="/payment-details" replace />;
    case 'card':
      return <CardStep payment={payment} card={card} cancel={cancel} />;
    case 'bank':
      return <BankStep payment={payment} cancel={cancel} />;
    case 'elsewhere':
      if (payer.kind === 'me' && payment.payment?.status === 'processing')
        return <Checking payment={payment} />;
      return (
        <Paying payment={payment} {...paidElsewhereHeading(payer)}>
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

interface StepProps {
  payment: PaymentOnScreen;
  /** The button to cancel the payment. */
  cancel: ReactNode;
}

function CardStep({ payment, card, cancel }: StepProps & { card: ReturnType<typeof useCardInput> }) {
  return (
    <Paying payment={payment} heading="Pay by card" lead="Your bank may ask you to confirm it’s you.">
      {payment.intent?.provider === 'stripe' ? (
        <StripeForm payment={payment} intent={payment.intent} payerName={card.input.name} />
      ) : (
        <SandboxCardForm payment={payment} {...card} />
      )}
      {cancel}
      <BankDetailsWarning />
    </Paying>
  );
}

function BankStep({ payment, cancel }: StepProps) {
  return (
    <Paying
      payment={payment}
      heading="Confirm with your bank"
      lead="Nothing is charged until you confirm. If you have closed your bank’s page, continue here."
    >
      {payment.intent?.provider === 'stripe' ? (
        <StripeBankCheck payment={payment} intent={payment.intent} />
      ) : (
        <SandboxBankCheck payment={payment} />
      )}
      {cancel}
    </Paying>
  );
}

function CancelButton({
  payment,
  payer,
  onCancelled,
}: {
  payment: PaymentOnScreen;
  payer: Payer;
  onCancelled(): void;
}) {
  if (!payment.payment || payment.busy) return null;
  return (
    <div className={styles.cancel}>
      <CancelPayment
        payment={payment.payment}
        warning={payment.step === 'elsewhere' ? cancelWarning(payer) : ''}
        onCancelled={onCancelled}
      />
    </div>
  );
}

function Failure({ payment, error }: { payment: PaymentOnScreen; error: Error }) {
  const phone = useServices().config.firm?.phone;
  const isThrottled = hasErrorCode(error, 'too_many_payment_attempts');
  return (
    <div className={noticeStyles.notice}>
      <PageHeading>Pay by card</PageHeading>
      <Alert
        tone="danger"
        title={messageOf(error)}
        action={<Button onClick={payment.retry}>Try again</Button>}
      >
        <p>
          {isThrottled ? 'You have not been charged.' : 'Nothing has been charged by opening this page.'}
          {isThrottled && phone && (
            <>
              {' '}
              You can call us on <PhoneLink phone={phone} />.
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

function Checking({ payment }: { payment: PaymentOnScreen }) {
  return (
    <Paying payment={payment} heading="We’re checking your payment" lead="Please don’t pay again.">
      <Alert
        tone="information"
        takesFocus
        className={formStyles.formAlert}
        title="This page updates as soon as your bank answers."
      >
        <p>
          It usually takes a few seconds. You can leave this page: the payment will also appear on your home
          page.
        </p>
      </Alert>
    </Paying>
  );
}

/** The card details as typed. They are kept in memory only, and cleared once the payment is over. */
function useCardInput(payable: Payable, { step, payment }: PaymentOnScreen) {
  const client = useClient().data;
  const tabStore = usePaymentTabStore();
  const [typed, setTyped] = useState<Partial<CardInput>>({});
  const confirmed =
    payable.kind === 'other'
      ? payable.otherPayment.confirmed
      : tabStore.confirmationFor(payable.caseSearchId);
  const otherPayersName = payment?.payer.own_card === false ? payment.payer.name : null;
  const name = confirmed?.payer_name ?? otherPayersName ?? (client ? fullName(client) : '');
  const isOver = step === 'paid' || step === 'gone';
  useEffect(() => {
    if (isOver) setTyped({});
  }, [isOver]);
  return {
    input: { number: '', expiry: '', securityCode: '', name, ...typed },
    onInput: (change: Partial<CardInput>) => setTyped((before) => ({ ...before, ...change })),
  };
}

/** Keeps a receipt across reloads, and forgets the other payment that it is for once the client leaves the screen. */
function useForgetWhenLeft({ step, otherPayment }: PaymentOnScreen, isCancelled: boolean) {
  const router = useRouter();
  const caseState = useCaseStore();
  const isOver = isCancelled || step === 'paid' || step === 'gone';
  const finishedKey = isOver ? otherPayment?.idempotencyKey : undefined;
  useEffect(() => {
    if (finishedKey === undefined) return undefined;
    let isLeft = false;
    const stop = router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      isLeft = pathChanged;
    });
    return () => {
      stop();
      if (isLeft) caseState.forgetOtherPayment(finishedKey);
    };
  }, [finishedKey, router, caseState]);
}

function Paying(props: { payment: PaymentOnScreen; heading: string; lead: string; children: ReactNode }) {
  const { caseSearch, otherPayment, step } = props.payment;
  return (
    <PaymentFrame
      back={
        step === 'card' ? (
          <Link to="/payment-details" className={frameStyles.back}>
            Back to check your payment
          </Link>
        ) : (
          <Link to="/" className={frameStyles.back}>
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
