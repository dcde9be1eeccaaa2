import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { type Client, type PaymentMethod, type PaymentWording, paymentWordings } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Checkbox, Field, FieldError } from '@keyturn/ui/base/field.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { Choice } from '@keyturn/ui/forms/choice.tsx';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { PaymentConfirmation } from '../../../api/case/case-store.ts';
import { draftsFor } from '../../../api/drafts/drafts.ts';
import { useDraft } from '../../../api/drafts/use-draft.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { useNavigate } from '../../../navigation/navigation.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import styles from '../frame/payment-form.module.css';
import { PaymentFrame } from '../frame/payment-frame.tsx';
import { BankDetailsWarning } from '../frame/payment-notices.tsx';
import {
  type DetailsAnswers,
  type DetailsFaults,
  findFaults,
  hasSameAnswers,
  initialAnswers,
  invalidEmail,
  isDetailsAnswers,
  type OrderRequest,
  toConfirmation,
  wordingFor,
} from './details-answers.ts';
import { AboutPayByBank, MethodChoice } from './method-choice.tsx';

export interface DetailsFormProps {
  client: Client;
  /** The link back to the screen before. */
  back: ReactNode;
  /** The notice above the questions, for the client to read first. */
  notice?: ReactNode;
  /** What the client confirmed before; null the first time. */
  before: PaymentConfirmation | null;
  /** How it can be paid, cards first. */
  methods: PaymentMethod[];
  /** The request to order, without which a search is not ordered; null for another payment. */
  order: OrderRequest | null;
  /** Starts the payment. The payment screen follows when it resolves. */
  startPayment(confirmed: PaymentConfirmation): Promise<void>;
  /** Shown next to the questions. */
  bill: ReactNode;
}

/** The form before the card is entered: the cardholder, the email address for the receipt, and the consent to order. */
export function DetailsForm({
  client,
  back,
  notice,
  before,
  methods,
  order,
  startPayment,
  bill,
}: DetailsFormProps) {
  const navigate = useNavigate();
  const drafts = draftsFor(useServices());
  const [initial] = useState(() => initialAnswers(client, before));
  const [answers, setAnswers] = useState(() => drafts.restore(draftName, isDetailsAnswers) ?? initial);
  useDraft(draftName, hasSameAnswers(answers, initial) ? null : answers);
  const [faults, setFaults] = useState<DetailsFaults>({});
  const { isBusy, failure, run, reset } = useAction((error) => {
    if (isAboutEmail(error)) setFaults({ 'receipt-email': invalidEmail });
  });
  // A method that was chosen before may no longer be accepted, for this amount for example.
  const method = methods.includes(answers.method) ? answers.method : (methods[0] ?? 'card');
  const chosen = { ...answers, method };
  const words: PaymentWording = paymentWordings[wordingFor(client, method)];
  const set = (change: Partial<DetailsAnswers>) => setAnswers((earlier) => ({ ...earlier, ...change }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = findFaults(chosen, order);
    setFaults(found);
    reset();
    if (Object.keys(found).length > 0) return;
    void run(async () => {
      await startPayment(toConfirmation(chosen, client, order));
      drafts.clear(draftName);
      await navigate('/payment');
    });
  };

  return (
    <PaymentFrame back={back} at="Check" heading="Check before you pay" bill={bill}>
      <form onSubmit={submit} noValidate>
        <ErrorSummary
          faults={Object.entries(faults).map(([field, message]) => ({ field, message: message ?? '' }))}
        />
        {notice}
        {failure !== null && !isAboutEmail(failure) && <Failure error={failure} />}
        {methods.length > 1 && <MethodChoice method={method} onChange={set} />}
        {method === 'bank' && <AboutPayByBank isOnly={methods.length === 1} protection={words.protection} />}
        <CardOwner words={words.ownCard} answers={chosen} faults={faults} onChange={set} />
        <Field
          id="receipt-email"
          label="Email address for the receipt"
          hint="An address that we don’t have for your case gets the amount, the day and the receipt’s number only."
          type="email"
          autoComplete="email"
          maxLength={320}
          value={answers.receiptEmail}
          error={faults['receipt-email']}
          onChange={(event) => set({ receiptEmail: event.target.value })}
        />
        {order && (
          <Checkbox
            id="order-now"
            // New words have not been confirmed, however they came.
            checked={answers.orderWords === order.words}
            error={faults['order-now']}
            onChange={(event) => set({ orderWords: event.target.checked ? order.words : '' })}
            label={order.words}
          />
        )}
        <Button type="submit" size="full" busy={isBusy}>
          Continue to payment
        </Button>
        <BankDetailsWarning />
      </form>
    </PaymentFrame>
  );
}

const draftName = 'payment-details';

const isAboutEmail = (error: unknown) =>
  error instanceof ApiError && error.errors.receipt_email !== undefined;

interface CardOwnerProps {
  /** Its version is recorded with the payment. */
  words: PaymentWording['ownCard'];
  answers: DetailsAnswers;
  faults: DetailsFaults;
  onChange(change: Partial<DetailsAnswers>): void;
}

function CardOwner({ words, answers, faults, onChange }: CardOwnerProps) {
  const errorId = faults['own-card'] ? 'own-card-error' : undefined;
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{words.question}</legend>
        <p className={styles.hint}>{words.hint}</p>
        {faults['own-card'] && <FieldError id="own-card-error">{faults['own-card']}</FieldError>}
        <Choice
          id="own-card"
          name="own-card"
          checked={answers.ownCard === true}
          onChoose={() => onChange({ ownCard: true })}
          errorId={errorId}
        >
          {words.yes}
        </Choice>
        <Choice
          id="another-card"
          name="own-card"
          checked={answers.ownCard === false}
          onChoose={() => onChange({ ownCard: false })}
          errorId={errorId}
        >
          {words.no}
        </Choice>
      </fieldset>
      {answers.ownCard === false && answers.method === 'card' && (
        <Field
          id="payer-name"
          label="Whose card is it?"
          hint="Their full name. We may need to check their identity before we can use the money."
          autoComplete="off"
          maxLength={200}
          value={answers.payerName}
          error={faults['payer-name']}
          onChange={(event) => onChange({ payerName: event.target.value })}
        />
      )}
    </>
  );
}

/** Why the payment could not be started, that nothing was charged, and what the client can do. */
function Failure({ error }: { error: unknown }) {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'idempotency_key_reused') {
    return (
      <Alert
        className={styles.formAlert}
        tone="danger"
        takesFocus
        title="You started this payment in another tab with different answers."
      >
        <p>
          You have not been charged here. <Link to="/payments">Go to your payments</Link> to continue or
          cancel it.
        </p>
      </Alert>
    );
  }
  const amountFault =
    error instanceof ApiError ? (error.errors.category ?? error.errors.amount)?.[0] : undefined;
  return (
    <Alert tone="danger" takesFocus className={styles.formAlert} title={amountFault ?? messageOf(error)}>
      <p>
        You have not been charged.
        {code === 'too_many_payment_attempts' && <CallUs />}
        {(amountFault !== undefined || code === 'limit_reached') && (
          <>
            {' '}
            <Link to="/payment-other">Change this payment</Link>
          </>
        )}
      </p>
    </Alert>
  );
}

function CallUs() {
  const phone = useServices().config.firm?.phone;
  return (
    phone && (
      <>
        {' '}
        You can call us on <PhoneLink phone={phone} />.
      </>
    )
  );
}
