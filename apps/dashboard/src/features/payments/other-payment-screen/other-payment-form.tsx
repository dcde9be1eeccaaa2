import {
  cardNumberNotAllowed,
  hasCardNumber,
  type Matter,
  type MatterType,
  type OtherPaymentCategory,
  otherPaymentCategories,
} from '@keyturn/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useCaseStore } from '../../../api/case/use-case-state.ts';
import { isNullOr, isObjectOf, isOneOf, isString } from '../../../api/checks/check.ts';
import { messageOf } from '../../../api/client/api-error.ts';
import { draftsFor } from '../../../api/drafts/drafts.ts';
import { useDraft } from '../../../api/drafts/use-draft.ts';
import { useRefreshCase } from '../../../api/queries/use-refresh-case.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { Field, FieldError } from '../../../ui/base/field.tsx';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { Choice } from '../../../ui/forms/choice.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { addressOf } from '../shared/bill.tsx';
import { isTooLateToCancel } from '../shared/cancel-payment.tsx';
import { categoryLabels } from '../shared/payment-categories.ts';
import formStyles from '../shared/payment-form.module.css';
import { parseAmount } from './amount-input.ts';
import styles from './other-payment-form.module.css';

/** What the client has entered, as entered. */
export interface OtherPaymentEntry {
  category: OtherPaymentCategory | null;
  amount: string;
  reference: string;
  /** Null: the whole case. */
  matterId: string | null;
}

export interface OtherPaymentFormProps {
  matters: Matter[];
  before: OtherPaymentEntry;
  /** A payment that was begun with what is filled in: what is changed takes its place. */
  unfinished: OtherPayment | null;
}

/** What for, how much, and whose reference. What is entered is kept, and checked on the next screen. */
export function OtherPaymentForm({ matters, before, unfinished }: OtherPaymentFormProps) {
  const services = useServices();
  const { config, call } = services;
  const drafts = draftsFor(services);
  const caseState = useCaseStore();
  const navigate = useNavigate();
  const refreshCase = useRefreshCase();
  const [entry, setEntry] = useState(() => drafts.restore(draftName, isEntry) ?? before);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<OtherPaymentEntry>) => setEntry((earlier) => ({ ...earlier, ...change }));
  const { min, max } = config.payments.limits;
  const isTooLate = isTooLateToCancel(failure);
  useDraft(draftName, hasSameEntries(entry, before) ? null : entry);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = parseAmount(entry.amount, config.payments.limits);
    const { category } = entry;
    setFailure(null);
    const isCardNumber = hasCardNumber(entry.reference);
    setFaults({
      ...(category === null ? { category: 'Choose what the payment is for.' } : {}),
      ...('fault' in read ? { amount: read.fault } : {}),
      ...(isCardNumber ? { reference: cardNumberNotAllowed } : {}),
    });
    if (category === null || 'fault' in read || isCardNumber) return;
    const entered = {
      category,
      amount: read.amount,
      reference: entry.reference.trim() || null,
      matterId: matterOf(entry, matters),
    };
    setBusy(true);
    try {
      const kept = caseState.get().otherPayment;
      if (!kept || !isSame(kept, entered)) {
        if (unfinished?.paymentId && kept?.paymentId === unfinished.paymentId) {
          await call('POST /payments/{id}/cancel', { params: { id: unfinished.paymentId } });
          void refreshCase();
        }
        caseState.enterOtherPayment({
          ...entered,
          idempotencyKey: crypto.randomUUID(),
          confirmed: null,
          paymentId: null,
        });
      }
      drafts.clear(draftName);
      await navigate({ to: '/payment-details' });
    } catch (error) {
      setFailure(error);
      // That one is done with, whatever became of it: what is entered now is a payment of its own.
      if (isTooLateToCancel(error)) {
        if (unfinished) caseState.forgetOtherPayment(unfinished.idempotencyKey);
        void refreshCase();
      }
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <ErrorSummary
        faults={Object.entries(faults).map(([field, message]) => ({ field, message: message ?? '' }))}
      />
      {failure !== null && (
        <Alert
          tone="danger"
          takesFocus
          className={formStyles.formAlert}
          title={
            isTooLate ? 'The payment that you began before can no longer be changed.' : messageOf(failure)
          }
        >
          <p>
            {isTooLate ? (
              <>
                <Link to="/payments">See how it stands</Link> before you make another one.
              </>
            ) : (
              'You have not been charged.'
            )}
          </p>
        </Alert>
      )}
      {unfinished && failure === null && (
        <Alert
          tone="information"
          className={formStyles.formAlert}
          title="You have begun this payment and not finished it."
        >
          <p>Go on with it as it is, or change it: what you enter here takes its place.</p>
        </Alert>
      )}
      <fieldset className={formStyles.group}>
        <legend>What is the payment for?</legend>
        {faults.category && <FieldError id="category-error">{faults.category}</FieldError>}
        <div className={styles.choicesInColumns}>
          {otherPaymentCategories.map((category, index) => (
            <Choice
              key={category}
              // The first one is where the summary of faults leads.
              id={index === 0 ? 'category' : `category-${category}`}
              name="category"
              checked={entry.category === category}
              errorId={faults.category ? 'category-error' : undefined}
              hint={categoryLabels[category].hint}
              onChoose={() => set({ category })}
            >
              {categoryLabels[category].name}
            </Choice>
          ))}
        </div>
      </fieldset>
      <Field
        id="amount"
        label="Amount in pounds"
        hint={`${formatMoney(min)} to ${formatMoney(max)}, for example 250 or 1,250.50`}
        inputMode="decimal"
        autoComplete="transaction-amount"
        maxLength={20}
        className={styles.amount}
        value={entry.amount}
        error={faults.amount}
        onChange={(event) => set({ amount: event.target.value })}
      />
      <Field
        id="reference"
        label="Reference (optional)"
        hint="The number of our bill or letter, or your own words."
        autoComplete="off"
        maxLength={100}
        value={entry.reference}
        error={faults.reference}
        onChange={(event) => set({ reference: event.target.value })}
      />
      {matters.length > 1 && (
        <fieldset className={formStyles.group}>
          <legend>Which part of your case is it for?</legend>
          {matters.map((matter) => (
            <Choice
              key={matter.id}
              id={`matter-${matter.id}`}
              name="matter"
              checked={entry.matterId === matter.id}
              hint={addressOf(matter.property)}
              onChoose={() => set({ matterId: matter.id })}
            >
              {matterName[matter.matter_type]}
            </Choice>
          ))}
          <Choice
            id="matter-all"
            name="matter"
            checked={!matters.some(({ id }) => id === entry.matterId)}
            onChoose={() => set({ matterId: null })}
          >
            The whole case, or you are not sure
          </Choice>
        </fieldset>
      )}
      <Button type="submit" size="full" busy={busy}>
        Check this payment
      </Button>
    </form>
  );
}

const draftName = 'other-payment';

const isEntry = isObjectOf<OtherPaymentEntry>({
  category: isNullOr(isOneOf(otherPaymentCategories)),
  amount: isString,
  reference: isString,
  matterId: isNullOr(isString),
});

const hasSameEntries = (one: OtherPaymentEntry, other: OtherPaymentEntry) =>
  one.category === other.category &&
  one.amount === other.amount &&
  one.reference === other.reference &&
  one.matterId === other.matterId;

type Faults = Partial<Record<'category' | 'amount' | 'reference', string>>;

const matterName: Record<MatterType, string> = {
  sale: 'Your sale',
  purchase: 'Your purchase',
  remortgage: 'Your remortgage',
  'transfer-of-equity': 'Your transfer of equity',
};

/** A case with one matter needs no question; one that is not of this case is none. */
function matterOf({ matterId }: OtherPaymentEntry, matters: Matter[]): string | null {
  if (matters.length === 1) return matters[0]?.id ?? null;
  return matters.some(({ id }) => id === matterId) ? matterId : null;
}

const isSame = (
  kept: OtherPayment,
  entered: Pick<OtherPayment, 'category' | 'amount' | 'reference' | 'matterId'>,
) =>
  kept.category === entered.category &&
  kept.amount === entered.amount &&
  kept.reference === entered.reference &&
  kept.matterId === entered.matterId;
