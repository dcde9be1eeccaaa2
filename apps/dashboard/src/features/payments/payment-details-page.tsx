import type { CaseSearch, Client } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { queryKeys, useCaseSearches, useClient } from '../../api/queries.ts';
import { useCaseState, useServices } from '../../api/services.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Checkbox, Field, FieldError } from '../../ui/field.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Bill } from './bill.tsx';
import { BankDetailsWarning, NothingToPay, PaymentLoading } from './payment-notices.tsx';
import { PaymentSteps } from './payment-steps.tsx';
import styles from './payments.module.css';
import { intentKey } from './use-search-payment.ts';

/** Check before you pay: for what, how much, to whom, and what the client agrees to. */
export function PaymentDetailsPage() {
  const { caseSearchId } = useCaseState();
  const client = useClient();
  const caseSearches = useCaseSearches();
  if (client.data && caseSearches.data) {
    const caseSearch = caseSearches.data.find(({ id }) => id === caseSearchId);
    if (!caseSearch) return <NothingToPay caseSearches={caseSearches.data} />;
    if (!caseSearch.payable) return <Navigate to="/payment" replace />;
    return <DetailsForm key={caseSearch.id} caseSearch={caseSearch} client={client.data} />;
  }
  const error = client.error ?? caseSearches.error;
  if (!error) return <PaymentLoading />;
  const retry = () => void Promise.all([client.refetch(), caseSearches.refetch()]);
  return (
    <div className={styles.notice}>
      <PageHeading>Check your payment</PageHeading>
      <Alert tone="danger" title={messageOf(error)} action={<Button onClick={retry}>Try again</Button>}>
        <p>You have not been charged.</p>
      </Alert>
    </div>
  );
}

interface Answers {
  orderNow: boolean;
  ownCard: boolean | null;
  payerName: string;
  receiptEmail: string;
}

type Faults = Partial<Record<'order-now' | 'own-card' | 'payer-name' | 'receipt-email' | 'form', string>>;

function DetailsForm({ caseSearch, client }: { caseSearch: CaseSearch; client: Client }) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [answers, setAnswers] = useState<Answers>({
    orderNow: false,
    ownCard: null,
    payerName: '',
    receiptEmail: client.email,
  });
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  // The same press, sent again after a lost answer, is the same payment.
  const idempotencyKey = useRef({ content: '', key: '' });
  const set = (change: Partial<Answers>) => setAnswers((before) => ({ ...before, ...change }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = faultsOf(answers);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    const body = {
      order_now: true,
      own_card: answers.ownCard === true,
      payer_name: answers.ownCard ? `${client.first_name} ${client.last_name}` : answers.payerName.trim(),
      receipt_email: answers.receiptEmail.trim(),
    };
    const content = JSON.stringify(body);
    if (idempotencyKey.current.content !== content)
      idempotencyKey.current = { content, key: crypto.randomUUID() };
    try {
      const intent = await call('POST /case-searches/{id}/payments', {
        params: { id: caseSearch.id },
        body,
        idempotencyKey: idempotencyKey.current.key,
      });
      queries.setQueryData(intentKey(generation, caseSearch.id), intent);
      await queries.invalidateQueries({ queryKey: queryKeys.caseSearches(generation) });
      await navigate({ to: '/payment' });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'already_paid') await navigate({ to: '/payment' });
      const email = error instanceof ApiError ? error.errors.receipt_email : undefined;
      if (email) setFaults({ 'receipt-email': 'Enter an email address, for example name@example.com.' });
      else setFaults({ form: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };

  const { form, ...fieldFaults } = faults;
  return (
    <div className={styles.page}>
      <Link to="/" className={styles.back}>
        Back to your case
      </Link>
      <div className={styles.columns}>
        <form onSubmit={submit} noValidate>
          <PaymentSteps at="Check" />
          <PageHeading>Check before you pay</PageHeading>
          <p className={styles.lead}>{caseSearch.explanation}</p>
          <ErrorSummary
            faults={Object.entries(fieldFaults).map(([field, message]) => ({
              field,
              message: message ?? '',
            }))}
          />
          {form && (
            <Alert tone="danger" takesFocus title={form}>
              <p>You have not been charged.</p>
            </Alert>
          )}
          <fieldset className={styles.group}>
            <legend>Is this your own card?</legend>
            <p className={styles.hint}>The law asks us to know whose money we are given.</p>
            {faults['own-card'] && <FieldError id="own-card-error">{faults['own-card']}</FieldError>}
            <Choice
              id="own-card"
              checked={answers.ownCard === true}
              onChoose={() => set({ ownCard: true })}
              describedBy={faults['own-card'] ? 'own-card-error' : undefined}
            >
              Yes, mine or one that I share with the other owner
            </Choice>
            <Choice
              id="another-card"
              checked={answers.ownCard === false}
              onChoose={() => set({ ownCard: false })}
              describedBy={faults['own-card'] ? 'own-card-error' : undefined}
            >
              No, somebody else is paying
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
          <Checkbox
            id="order-now"
            checked={answers.orderNow}
            error={faults['order-now']}
            onChange={(event) => set({ orderNow: event.target.checked })}
            label={
              <>
                <strong>Order my search now.</strong> You have 14 days to change your mind about a service
                bought online. I ask you to start at once, and know that what has been ordered by then may not
                be paid back.
              </>
            }
          />
          <Button type="submit" size="full" busy={busy}>
            Continue to payment
          </Button>
          <BankDetailsWarning />
        </form>
        <Bill caseSearch={caseSearch} />
      </div>
    </div>
  );
}

function Choice(props: {
  id: string;
  checked: boolean;
  onChoose(): void;
  describedBy: string | undefined;
  children: string;
}) {
  return (
    <label className={styles.choice} htmlFor={props.id}>
      <input
        id={props.id}
        type="radio"
        name="own-card"
        checked={props.checked}
        aria-describedby={props.describedBy}
        onChange={props.onChoose}
      />
      <span>{props.children}</span>
    </label>
  );
}

function faultsOf(answers: Answers): Faults {
  const faults: Faults = {};
  if (answers.ownCard === null) faults['own-card'] = 'Say whether this is your own card.';
  if (answers.ownCard === false && answers.payerName.trim() === '')
    faults['payer-name'] = 'Enter the name on the card.';
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(answers.receiptEmail.trim())) {
    faults['receipt-email'] = 'Enter an email address, for example name@example.com.';
  }
  if (!answers.orderNow) faults['order-now'] = 'Tick the box so that we may order the search.';
  return faults;
}
