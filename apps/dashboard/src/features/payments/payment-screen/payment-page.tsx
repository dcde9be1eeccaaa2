import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { Payment } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button, buttonClass } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { useCaseState, useCaseStore } from '../../../api/case/case-store.ts';
import { hasErrorCode } from '../../../api/payments/has-error-code.ts';
import type { Payer } from '../../../api/payments/started-payment.ts';
import { useCaseSearches } from '../../../api/queries/use-case-searches.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { Navigate } from '../../../navigation/navigate.tsx';
import { useRouter } from '../../../navigation/navigation.tsx';
import { BackToBank, PayByBank } from '../bank/pay-by-bank.tsx';
import { CancelPayment } from '../cancel/cancel-payment.tsx';
import { PayInstead } from '../cancel/pay-instead.tsx';
import { OtherPaymentBill, SearchBill } from '../frame/bill.tsx';
import type { Payable } from '../frame/payable.ts';
import formStyles from '../frame/payment-form.module.css';
import frameStyles from '../frame/payment-frame.module.css';
import { PaymentFrame } from '../frame/payment-frame.tsx';
import noticeStyles from '../frame/payment-notices.module.css';
import {
  BankDetailsWarning,
  NothingToPay,
  NotPayable,
  PaymentCancelled,
  PaymentLoading,
} from '../frame/payment-notices.tsx';
import { QuoteReference } from '../frame/quote-reference.tsx';
import { StatementNote } from '../frame/statement-note.tsx';
import { Receipt } from '../receipt/receipt.tsx';
import type { CardInput } from '../sandbox/card-input.ts';
import { SandboxBankCheck } from '../sandbox/sandbox-bank-check.tsx';
import { SandboxCardForm } from '../sandbox/sandbox-card-form.tsx';
import { isUnfinished } from '../status/payment-status.ts';
import { StripeBankCheck } from '../stripe/stripe-bank-check.tsx';
import { StripeForm } from '../stripe/stripe-form.tsx';
import { cancelWarning, PaidElsewhere, paidElsewhereHeading, usePayer } from './paid-elsewhere.tsx';
import styles from './payment-page.module.css';
import { PaymentUnderReview } from './payment-under-review.tsx';
import { type PaymentOnScreen, usePayment } from './use-payment.ts';

/** Where the client pays for the selected search, or makes the other payment that they entered. */
export default function PaymentPage() {
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
  const card = useCardInput(payment);
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
      return <Navigate to="/payment-details" />;
    case 'card':
      if (payment.payment?.method === 'bank') return <PayByBankStep payment={payment} cancel={cancel} />;
      return <CardStep payment={payment} card={card} cancel={cancel} />;
    case 'bank':
      return <BankStep payment={payment} cancel={cancel} />;
    case 'elsewhere':
      if (payer.kind === 'me' && payment.payment?.status === 'processing')
        return <Checking payment={payment} />;
      return (
        <Paying payment={payment} {...paidElsewhereHeading(payer, payment.payment?.status)}>
          <PaidElsewhere payment={payment} payer={payer} />
          {payment.payment && isUnfinished(payment.payment) && (
            <StopPayment payment={payment.payment} payer={payer} cancel={cancel} />
          )}
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
      return payable.kind === 'other' ? (
        <PaymentCancelled payable={payable} payment={payment.payment} />
      ) : (
        <NotPayable />
      );
  }
}

interface StepProps {
  payment: PaymentOnScreen;
  /** The button to cancel the payment. */
  cancel: ReactNode;
}

function CardStep({ payment, card, cancel }: StepProps & { card: ReturnType<typeof useCardInput> }) {
  return (
    <Paying payment={payment} heading="Pay by card" lead={cardLead(payment)}>
      {payment.intent?.provider === 'stripe' ? (
        <StripeForm payment={payment} intent={payment.intent} payerName={card.input.name} />
      ) : (
        <SandboxCardForm payment={payment} {...card} />
      )}
      {payment.intent?.statement_descriptor && (
        <StatementNote
          descriptor={payment.intent.statement_descriptor}
          isTest={payment.intent.provider === 'sandbox'}
        />
      )}
      {cancel}
      <BankDetailsWarning />
    </Paying>
  );
}

function PayByBankStep({ payment, cancel }: StepProps) {
  return (
    <Paying payment={payment} heading="Pay by bank" lead={receiptLead(payment)}>
      {payment.intent && <PayByBank payment={payment} intent={payment.intent} />}
      {cancel}
      <BankDetailsWarning />
    </Paying>
  );
}

/** Requests the card that the client confirmed, and shows the address for the receipt. */
function cardLead({ payment }: PaymentOnScreen): string {
  const isOthersCard = payment?.payer.own_card === false && payment.payer.name !== null;
  const card = isOthersCard ? `Enter ${payment.payer.name}’s card.` : 'Use your own card.';
  return [card, receiptLead({ payment })].filter(Boolean).join(' ');
}

function receiptLead({ payment }: Pick<PaymentOnScreen, 'payment'>): string {
  const receipt = payment?.confirmation?.receipt_email;
  return receipt ? `We’ll email the receipt to ${receipt}.` : '';
}

function BankStep({ payment, cancel }: StepProps) {
  if (payment.payment?.method === 'bank') {
    return (
      <Paying
        payment={payment}
        heading="Approve it at your bank"
        lead="Your bank hasn’t told us that you approved this payment. If you have, wait here: this page updates automatically. If you closed your bank’s page, go back to it."
      >
        {payment.intent && <BackToBank payment={payment} intent={payment.intent} />}
        {cancel}
      </Paying>
    );
  }
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

/** Below a payment that was started elsewhere: the joint client’s can be replaced, the client’s own can be cancelled. */
function StopPayment({ payment, payer, cancel }: { payment: Payment; payer: Payer; cancel: ReactNode }) {
  if (payer.kind !== 'other') return cancel;
  return (
    <div className={styles.cancel}>
      {/* The details screen follows once the payment is known to be cancelled. */}
      <PayInstead payment={payment} payerName={payer.firstName} onCancelled={() => undefined} />
    </div>
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
      <PageHeading>{payment.payment?.method === 'bank' ? 'Pay by bank' : 'Pay by card'}</PageHeading>
      <Alert
        tone="danger"
        title={messageOf(error)}
        action={<Button onClick={payment.retry}>Try again</Button>}
      >
        <p>
          {isThrottled ? 'You have not been charged.' : 'Opening this page doesn’t charge you.'}
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
  if (payment.payment?.bank_state === 'authorised') return <AwaitingMoney payment={payment} />;
  return (
    <DoNotPayAgain
      payment={payment}
      heading="We’re checking your payment"
      title="This page updates as soon as your bank answers."
    >
      It usually takes a few seconds. You can leave this page: the payment will also appear on your home page.
    </DoNotPayAgain>
  );
}

/** The bank has approved a payment by bank, and its money has not arrived. */
const AwaitingMoney = ({ payment }: { payment: PaymentOnScreen }) => (
  <DoNotPayAgain
    payment={payment}
    heading="We’re waiting for the money"
    title="Your bank has approved this payment."
  >
    The money usually arrives within seconds, but it can take up to two hours. This page updates
    automatically. You can leave it: we’ll email you when the money has arrived, and if it doesn’t.
  </DoNotPayAgain>
);

/** The client has done their part, and must not make a second payment. */
function DoNotPayAgain({
  payment,
  heading,
  title,
  children,
}: {
  payment: PaymentOnScreen;
  heading: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <Paying payment={payment} heading={heading} lead="Please don’t pay again.">
      <Alert tone="information" takesFocus className={formStyles.formAlert} title={title}>
        <p>{children}</p>
      </Alert>
    </Paying>
  );
}

/** The card details as typed. They are kept in memory only, and cleared once the payment is over. */
function useCardInput({ step, payment }: PaymentOnScreen) {
  const [typed, setTyped] = useState<Partial<CardInput>>({});
  const name = payment?.payer.name ?? '';
  const isOver = step === 'paid' || step === 'gone';
  useEffect(() => {
    if (isOver) setTyped({});
  }, [isOver]);
  return {
    input: { number: '', expiry: '', securityCode: '', name, ...typed },
    onInput: (change: Partial<CardInput>) => setTyped((before) => ({ ...before, ...change })),
  };
}

/** Keeps a receipt across reloads, and removes its other payment once the client leaves the screen. */
function useForgetWhenLeft({ step, otherPayment }: PaymentOnScreen, isCancelled: boolean) {
  const router = useRouter();
  const caseState = useCaseStore();
  const isOver = isCancelled || step === 'paid' || step === 'gone';
  const finishedKey = isOver ? otherPayment?.idempotencyKey : undefined;
  useEffect(() => {
    if (finishedKey === undefined) return undefined;
    const { pathname } = router.place();
    return () => {
      if (router.place().pathname !== pathname) caseState.forgetOtherPayment(finishedKey);
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
