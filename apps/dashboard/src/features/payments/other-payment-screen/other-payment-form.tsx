import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type {
  Bill,
  ConveyancingCase,
  Matter,
  MatterType,
  OtherPaymentCategory,
  Task,
} from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { afterIdentityCheck } from '@keyturn/format/payments/unasked-payments';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Field, FieldError } from '@keyturn/ui/base/field.tsx';
import { Choice } from '@keyturn/ui/forms/choice.tsx';
import { type FormEvent, useState } from 'react';
import { type OtherPayment, useCaseState } from '../../../api/case/case-store.ts';
import { draftsFor } from '../../../api/drafts/drafts.ts';
import { useDraft } from '../../../api/drafts/use-draft.ts';
import { limitsFor, useMethodsConfig } from '../../../api/payments/payment-methods.ts';
import { unaskedLimit, useAwaitsIdentityCheck } from '../../../api/payments/payment-rules.ts';
import { useOtherPurposes } from '../../../api/payments/use-card-purposes.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { isTooLateToCancel } from '../cancel/cancel-payment.tsx';
import { propertyAddress } from '../frame/bill.tsx';
import formStyles from '../frame/payment-form.module.css';
import { paymentCategoryTexts } from '../status/payment-categories.ts';
import { formatAmountInput } from './amount-input.ts';
import { BillChoice } from './bill-choice.tsx';
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
  conveyancingCase: ConveyancingCase;
  /** The bills that can be paid. */
  bills: Bill[];
  /** What the form is filled in with. */
  before: OtherPaymentEntry;
  /** Whether the form is for the bill that it is filled in with, and for nothing else. */
  isForOneBill: boolean;
  /** The unfinished payment that the form is filled in with, which any change replaces. */
  unfinished: OtherPayment | null;
  /** The idempotency key of the payment that was entered last, if it was paid or cancelled; null otherwise. */
  finishedKey: string | null;
}

/** What the payment is for, how much, and a reference. The client checks it on the details screen. */
export function OtherPaymentForm({
  conveyancingCase,
  bills,
  before,
  isForOneBill,
  unfinished,
  finishedKey,
}: OtherPaymentFormProps) {
  const services = useServices();
  const { matters, firm, tasks } = conveyancingCase;
  const draftName = before.billId === null ? 'other-payment' : `other-payment-${before.billId}`;
  const drafts = draftsFor(services);
  const [entry, setEntry] = useState(() => drafts.restore(draftName, isOtherPaymentEntry) ?? before);
  const [faults, setFaults] = useState<OtherPaymentFaults>({});
  const { enter, isBusy, failure, clearFailure } = useEnterOtherPayment({ unfinished, finishedKey }, () =>
    drafts.clear(draftName),
  );
  const set = (change: Partial<OtherPaymentEntry>) => setEntry((earlier) => ({ ...earlier, ...change }));
  const limits = limitsFor(useMethodsConfig(), entry.category);
  const { otherPayment: stored } = useCaseState();
  const isAskedFor = (category: OtherPaymentCategory, amount: number) =>
    isAskedInTask(tasks, formatAmountInput(amount)) ||
    (!!stored?.idempotencyKey.startsWith('link-') &&
      stored.category === category &&
      stored.amount === amount);
  const isForBill = entry.category === 'legal_fees';
  const max = Math.min(limits.max, (entry.category && unaskedLimit(firm, entry.category)) ?? limits.max);
  const bill = isForBill ? bills.find(({ id }) => id === entry.billId) : undefined;
  useDraft(draftName, isSameEntry(entry, before) ? null : entry);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const read = readEntry(entry, { limits, matters, bills, firm, isAskedFor });
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
      {!isForOneBill && (
        <CategoryChoice
          entry={entry}
          isAskedFor={isAskedInTask(tasks, before.amount)}
          bills={bills}
          fault={faults.category}
          onChange={set}
        />
      )}
      {isForBill && !isForOneBill && (
        <BillChoice
          bills={bills}
          chosenId={entry.billId}
          fault={faults.bill}
          onChoose={({ id, payable }) => set({ billId: id, amount: formatAmountInput(payable) })}
        />
      )}
      <Field
        id="amount"
        label="Amount in pounds"
        hint={
          bill && bill.payable < limits.min
            ? `${formatMoney(bill.payable)} is left to pay on this bill, which is less than you can pay online. Please call us.`
            : bill
              ? `${formatMoney(limits.min)} to ${formatMoney(Math.min(limits.max, bill.payable))}. ${formatMoney(bill.payable)} is left to pay on this bill.`
              : `${formatMoney(limits.min)} to ${formatMoney(max)}${max < 125_050 ? '' : ', for example 250 or 1,250.50'}`
        }
        inputMode="decimal"
        autoComplete="transaction-amount"
        maxLength={20}
        className={styles.amount}
        value={entry.amount}
        error={faults.amount}
        onChange={(event) => set({ amount: event.target.value })}
      />
      {!isForBill && (
        <Field
          id="reference"
          label={entry.category === 'other' ? 'What it is for' : 'Reference (optional)'}
          hint="The number on our bill or letter, or your own description."
          autoComplete="off"
          maxLength={100}
          value={entry.reference}
          error={faults.reference}
          onChange={(event) => set({ reference: event.target.value })}
        />
      )}
      {matters.length > 1 && !isForBill && <MatterChoice matters={matters} entry={entry} onChange={set} />}
      <Button type="submit" size="full" busy={isBusy}>
        Check this payment
      </Button>
    </form>
  );
}

/** Whether a task asks for this amount, as the field shows it. */
const isAskedInTask = (tasks: readonly Task[], amount: string): boolean =>
  tasks.some(
    (task) =>
      task.kind === 'pay' &&
      task.status === 'open' &&
      task.amount !== null &&
      formatAmountInput(task.amount) === amount,
  );

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

function CategoryChoice({
  entry,
  isAskedFor,
  bills,
  fault,
  onChange,
}: EntryPartProps & {
  /** Whether the form is filled in with what the firm has asked for, which can be for anything. */
  isAskedFor: boolean;
  bills: Bill[];
  fault: string | undefined;
}) {
  const awaitsIdentityCheck = useAwaitsIdentityCheck();
  const accepted = useOtherPurposes({ isAskedFor });
  const others = useOtherPurposes({ isAskedFor: true }).filter(
    (category) => accepted.includes(category) || entry.category === category,
  );
  // Without a bill there are no legal fees to pay.
  const categories = others.filter(
    (category) => category !== 'legal_fees' || bills.length > 0 || entry.category === category,
  );
  return (
    <fieldset className={formStyles.group}>
      <legend>What is the payment for?</legend>
      {fault && <FieldError id="category-error">{fault}</FieldError>}
      <div className={styles.choicesInColumns}>
        {categories.map((category, index) => (
          <Choice
            key={category}
            // The error summary links to the first choice.
            id={index === 0 ? 'category' : `category-${category}`}
            name="category"
            checked={entry.category === category}
            errorId={fault ? 'category-error' : undefined}
            hint={
              awaitsIdentityCheck({ purpose: category, matterId: entry.matterId })
                ? afterIdentityCheck
                : paymentCategoryTexts[category].hint
            }
            onChoose={() => onChange({ category })}
          >
            {paymentCategoryTexts[category].name}
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
          hint={propertyAddress(matter.property)}
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
