import { type Matter, type MatterType, otherPaymentCategories } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { messageOf } from '../../../api/client/api-error.ts';
import { draftsFor } from '../../../api/drafts/drafts.ts';
import { useDraft } from '../../../api/drafts/use-draft.ts';
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
import {
  isOtherPaymentEntry,
  isSameEntry,
  type OtherPaymentEntry,
  type OtherPaymentFaults,
  readEntry,
} from './other-payment-entry.ts';
import styles from './other-payment-form.module.css';
import { useEnterOtherPayment } from './use-enter-other-payment.ts';

export interface OtherPaymentFormProps {
  matters: Matter[];
  /** What the form is filled in with. */
  before: OtherPaymentEntry;
  /** The unfinished payment that the form is filled in with, which any change replaces. */
  unfinished: OtherPayment | null;
}

/** What the payment is for, how much, and a reference. The client checks it on the details screen. */
export function OtherPaymentForm({ matters, before, unfinished }: OtherPaymentFormProps) {
  const services = useServices();
  const { limits } = services.config.payments;
  const drafts = draftsFor(services);
  const [entry, setEntry] = useState(() => drafts.restore(draftName, isOtherPaymentEntry) ?? before);
  const [faults, setFaults] = useState<OtherPaymentFaults>({});
  const { enter, busy, failure, clearFailure } = useEnterOtherPayment(unfinished, () =>
    drafts.clear(draftName),
  );
  const set = (change: Partial<OtherPaymentEntry>) => setEntry((earlier) => ({ ...earlier, ...change }));
  useDraft(draftName, isSameEntry(entry, before) ? null : entry);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readEntry(entry, { limits, matters });
    clearFailure();
    setFaults('faults' in read ? read.faults : {});
    if ('details' in read) await enter(read.details);
  };

  return (
    <form onSubmit={submit} noValidate>
      <ErrorSummary
        faults={Object.entries(faults).map(([field, message]) => ({ field, message: message ?? '' }))}
      />
      {failure !== null && <Failure error={failure} />}
      {unfinished && failure === null && <UnfinishedNotice />}
      <CategoryChoice entry={entry} fault={faults.category} onChange={set} />
      <Field
        id="amount"
        label="Amount in pounds"
        hint={`${formatMoney(limits.min)} to ${formatMoney(limits.max)}, for example 250 or 1,250.50`}
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
        hint="The number on our bill or letter, or your own description."
        autoComplete="off"
        maxLength={100}
        value={entry.reference}
        error={faults.reference}
        onChange={(event) => set({ reference: event.target.value })}
      />
      {matters.length > 1 && <MatterChoice matters={matters} entry={entry} onChange={set} />}
      <Button type="submit" size="full" busy={busy}>
        Check this payment
      </Button>
    </form>
  );
}

const draftName = 'other-payment';

function Failure({ error }: { error: unknown }) {
  const isTooLate = isTooLateToCancel(error);
  return (
    <Alert
      tone="danger"
      takesFocus
      className={formStyles.formAlert}
      title={isTooLate ? 'The payment you started earlier can no longer be changed.' : messageOf(error)}
    >
      <p>
        {isTooLate ? (
          <>
            <Link to="/payments">See its status</Link> before you make another one.
          </>
        ) : (
          'You have not been charged.'
        )}
      </p>
    </Alert>
  );
}

function UnfinishedNotice() {
  return (
    <Alert
      tone="information"
      className={formStyles.formAlert}
      title="You have started this payment but not finished it."
    >
      <p>Continue with it as it is, or change it here: your changes replace it.</p>
    </Alert>
  );
}

interface EntryPartProps {
  entry: OtherPaymentEntry;
  onChange(change: Partial<OtherPaymentEntry>): void;
}

function CategoryChoice({ entry, fault, onChange }: EntryPartProps & { fault: string | undefined }) {
  return (
    <fieldset className={formStyles.group}>
      <legend>What is the payment for?</legend>
      {fault && <FieldError id="category-error">{fault}</FieldError>}
      <div className={styles.choicesInColumns}>
        {otherPaymentCategories.map((category, index) => (
          <Choice
            key={category}
            // The error summary links to the first choice.
            id={index === 0 ? 'category' : `category-${category}`}
            name="category"
            checked={entry.category === category}
            errorId={fault ? 'category-error' : undefined}
            hint={categoryLabels[category].hint}
            onChoose={() => onChange({ category })}
          >
            {categoryLabels[category].name}
          </Choice>
        ))}
      </div>
    </fieldset>
  );
}

function MatterChoice({ matters, entry, onChange }: EntryPartProps & { matters: Matter[] }) {
  return (
    <fieldset className={formStyles.group}>
      <legend>Which part of your case is it for?</legend>
      {matters.map((matter) => (
        <Choice
          key={matter.id}
          id={`matter-${matter.id}`}
          name="matter"
          checked={entry.matterId === matter.id}
          hint={addressOf(matter.property)}
          onChoose={() => onChange({ matterId: matter.id })}
        >
          {matterNames[matter.matter_type]}
        </Choice>
      ))}
      <Choice
        id="matter-all"
        name="matter"
        checked={!matters.some(({ id }) => id === entry.matterId)}
        onChoose={() => onChange({ matterId: null })}
      >
        The whole case, or I’m not sure
      </Choice>
    </fieldset>
  );
}

const matterNames: Record<MatterType, string> = {
  sale: 'Your sale',
  purchase: 'Your purchase',
  remortgage: 'Your remortgage',
  'transfer-of-equity': 'Your transfer of equity',
};
