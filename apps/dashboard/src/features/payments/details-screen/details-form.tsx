import {
  type Client,
  cardNumberNotAllowed,
  hasCardNumber,
  paymentWordings,
  paymentWordingVersion,
} from '@keyturn/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { PaymentConfirmation } from '../../../api/case/case-store.ts';
import { isBoolean, isNullOr, isObjectOf, isString } from '../../../api/checks/check.ts';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { draftsFor } from '../../../api/drafts/drafts.ts';
import { useDraft } from '../../../api/drafts/use-draft.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { Checkbox, Field, FieldError } from '../../../ui/base/field.tsx';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import { Choice } from '../../../ui/forms/choice.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { fullName } from '../shared/payer.ts';
import styles from '../shared/payment-form.module.css';
import { PaymentFrame } from '../shared/payment-frame.tsx';
import { BankDetailsWarning } from '../shared/payment-notices.tsx';

export interface DetailsFormProps {
  client: Client;
  /** Where the client comes from. */
  back: ReactNode;
  /** What was confirmed before; null for the first time. */
  before: PaymentConfirmation | null;
  /** A search is ordered only when the client asks for it at once. */
  asksToOrder: boolean;
  /** Starts the payment; the payment screen comes after it. */
  startPayment(confirmed: PaymentConfirmation): Promise<void>;
  /** Beside the questions. */
  bill: ReactNode;
}

/** What has to be said before a card is given: whose card it is, where the receipt goes, and whether to order. */
export function DetailsForm({ client, back, before, asksToOrder, startPayment, bill }: DetailsFormProps) {
  const navigate = useNavigate();
  const ownName = fullName(client);
  const drafts = draftsFor(useServices());
  const [begun] = useState<Answers>({
    orderNow: asksToOrder && before !== null,
    ownCard: before?.own_card ?? null,
    payerName: before?.own_card === false ? before.payer_name : '',
    receiptEmail: before?.receipt_email ?? client.email,
  });
  const [answers, setAnswers] = useState(() => drafts.restore(draftName, isAnswers) ?? begun);
  useDraft(draftName, hasSameAnswers(answers, begun) ? null : answers);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<Answers>) => setAnswers((earlier) => ({ ...earlier, ...change }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = faultsOf(answers, asksToOrder);
    setFaults(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await startPayment({
        own_card: answers.ownCard === true,
        payer_name: answers.ownCard ? ownName : answers.payerName.trim(),
        receipt_email: answers.receiptEmail.trim(),
        wording: paymentWordingVersion,
      });
      drafts.clear(draftName);
      await navigate({ to: '/payment' });
    } catch (error) {
      if (error instanceof ApiError && error.errors.receipt_email) setFaults({ 'receipt-email': wrongEmail });
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <PaymentFrame back={back} at="Check" heading="Check before you pay" bill={bill}>
      <form onSubmit={submit} noValidate>
        <ErrorSummary
          faults={Object.entries(faults).map(([field, message]) => ({ field, message: message ?? '' }))}
        />
        {failure !== null && <Failure error={failure} />}
        <fieldset className={styles.group}>
          <legend>{words.ownCard.question}</legend>
          <p className={styles.hint}>{words.ownCard.hint}</p>
          {faults['own-card'] && <FieldError id="own-card-error">{faults['own-card']}</FieldError>}
          <Choice
            id="own-card"
            name="own-card"
            checked={answers.ownCard === true}
            onChoose={() => set({ ownCard: true })}
            errorId={faults['own-card'] ? 'own-card-error' : undefined}
          >
            {words.ownCard.yes}
          </Choice>
          <Choice
            id="another-card"
            name="own-card"
            checked={answers.ownCard === false}
            onChoose={() => set({ ownCard: false })}
            errorId={faults['own-card'] ? 'own-card-error' : undefined}
          >
            {words.ownCard.no}
          </Choice>
        </fieldset>
        {answers.ownCard === false && (
          <Field
            id="payer-name"
            label="Whose card is it?"
            hint="Their full name. We may ask them who they are before we can use the money."
            autoComplete="off"
            maxLength={200}
            value={answers.payerName}
            error={faults['payer-name']}
            onChange={(event) => set({ payerName: event.target.value })}
          />
        )}
        <Field
          id="receipt-email"
          label="Email address for the receipt"
          type="email"
          autoComplete="email"
          maxLength={320}
          value={answers.receiptEmail}
          error={faults['receipt-email']}
          onChange={(event) => set({ receiptEmail: event.target.value })}
        />
        {asksToOrder && (
          <Checkbox
            id="order-now"
            checked={answers.orderNow}
            error={faults['order-now']}
            onChange={(event) => set({ orderNow: event.target.checked })}
            label={
              <>
                <strong>{words.orderNow.label}</strong> {words.orderNow.explanation}
              </>
            }
          />
        )}
        <Button type="submit" size="full" busy={busy}>
          Continue to payment
        </Button>
        <BankDetailsWarning />
      </form>
    </PaymentFrame>
  );
}

/** The record of the payment keeps which words these were. */
const words = paymentWordings[paymentWordingVersion];

interface Answers {
  orderNow: boolean;
  ownCard: boolean | null;
  payerName: string;
  receiptEmail: string;
}

const draftName = 'payment-details';

const isAnswers = isObjectOf<Answers>({
  orderNow: isBoolean,
  ownCard: isNullOr(isBoolean),
  payerName: isString,
  receiptEmail: isString,
});

const hasSameAnswers = (one: Answers, other: Answers) =>
  one.orderNow === other.orderNow &&
  one.ownCard === other.ownCard &&
  one.payerName === other.payerName &&
  one.receiptEmail === other.receiptEmail;

type Faults = Partial<Record<'order-now' | 'own-card' | 'payer-name' | 'receipt-email', string>>;

/** What stopped the payment, that nothing was charged, and the way on where there is one. */
function Failure({ error }: { error: unknown }) {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'idempotency_key_reused') {
    return (
      <Alert
        className={styles.formAlert}
        tone="danger"
        takesFocus
        title="You have begun this payment in another tab, with other answers."
      >
        <p>
          You have not been charged here. <Link to="/payments">Look at your payments</Link> to go on with it
          or to cancel it.
        </p>
      </Alert>
    );
  }
  const amountFault = error instanceof ApiError ? error.errors.amount?.[0] : undefined;
  return (
    <Alert tone="danger" takesFocus className={styles.formAlert} title={amountFault ?? messageOf(error)}>
      <p>
        You have not been charged.
        {code === 'too_many_payment_attempts' && <CallUs />}
        {(amountFault !== undefined || code === 'limit_reached') && (
          <>
            {' '}
            <Link to="/payment-other">Change the amount</Link>
          </>
        )}
      </p>
    </Alert>
  );
}

/** The number to call, where it is known. */
function CallUs() {
  const phone = useServices().config.firm?.phone;
  return (
    phone && (
      <>
        {' '}
        Our number is <PhoneLink phone={phone} />.
      </>
    )
  );
}

function faultsOf(answers: Answers, asksToOrder: boolean): Faults {
  const faults: Faults = {};
  if (answers.ownCard === null) faults['own-card'] = 'Say whether this is your own card.';
  if (answers.ownCard === false && answers.payerName.trim() === '')
    faults['payer-name'] = 'Enter the name on the card.';
  if (answers.ownCard === false && hasCardNumber(answers.payerName))
    faults['payer-name'] = cardNumberNotAllowed;
  if (hasCardNumber(answers.receiptEmail)) faults['receipt-email'] = cardNumberNotAllowed;
  else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(answers.receiptEmail.trim()))
    faults['receipt-email'] = wrongEmail;
  if (asksToOrder && !answers.orderNow) faults['order-now'] = 'Tick the box so that we may order the search.';
  return faults;
}

const wrongEmail = 'Enter an email address, for example name@example.com.';
