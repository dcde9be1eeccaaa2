import { sandboxCards } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Field } from '@keyturn/ui/base/field.tsx';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { fieldOfDecline } from '../declines/attempt-decline.ts';
import { DeclineAlert, DeclineMessage } from '../declines/decline-message.tsx';
import type { PaymentOnScreen } from '../payment-screen/use-payment.ts';
import { type CardFaults, type CardInput, groupDigits, readCard } from './card-input.ts';
import styles from './sandbox-card-form.module.css';
import { useSandbox } from './use-sandbox.ts';

export interface SandboxCardFormProps {
  payment: PaymentOnScreen;
  /** Kept outside the form, so that it survives while another part of the screen replaces the form. */
  input: CardInput;
  onInput(change: Partial<CardInput>): void;
}

/** The sandbox's card form. Card details are sent to the provider and stored nowhere. */
export function SandboxCardForm({ payment, input, onInput }: SandboxCardFormProps) {
  const sandbox = useSandbox();
  const [faults, setFaults] = useState<CardFaults>({});
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (payment.busy) return;
    const read = readCard(input, new Date());
    setFaults('faults' in read ? read.faults : {});
    payment.dismissDecline();
    if (!('card' in read)) return;
    const { card } = read;
    await payment.pay((client_secret) => sandbox.confirm({ client_secret, card }));
    // The security code must be typed again for every attempt.
    onInput({ securityCode: '' });
  };

  const { decline } = payment;
  const refusedField = decline === null ? null : fieldOfDecline(decline);
  useEffect(() => {
    if (refusedField) form.current?.querySelector<HTMLInputElement>(`#card-${refusedField}`)?.focus();
  }, [refusedField]);
  const errorOf = (field: keyof CardInput): ReactNode =>
    decline !== null && refusedField === field ? <DeclineMessage decline={decline} /> : faults[field];
  return (
    <form ref={form} onSubmit={submit} noValidate data-never-recorded>
      {decline !== null && refusedField === null && <DeclineAlert decline={decline} />}
      <ErrorSummary
        title="Check the card details"
        faults={fieldOrder.flatMap((field) =>
          faults[field] ? [{ field: `card-${field}`, message: faults[field] }] : [],
        )}
      />
      <TestCards onChoose={(number) => onInput({ number: groupDigits(number) })} />
      <CardFields input={input} onInput={onInput} errorOf={errorOf} />
      <Button type="submit" size="full" busy={payment.busy} busyText="Paying, please wait">
        Pay {formatMoney(payment.amount)}
      </Button>
    </form>
  );
}

interface CardFieldsProps {
  input: CardInput;
  onInput(change: Partial<CardInput>): void;
  errorOf(field: keyof CardInput): ReactNode;
}

function CardFields({ input, onInput, errorOf }: CardFieldsProps) {
  return (
    <>
      <Field
        id="card-number"
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        value={input.number}
        error={errorOf('number')}
        maxLength={40}
        onChange={(event) => onInput({ number: event.target.value })}
        onBlur={() => onInput({ number: groupDigits(input.number) })}
      />
      <div className={styles.two}>
        <Field
          id="card-expiry"
          label="Expiry date"
          hint="For example 08 28"
          inputMode="numeric"
          autoComplete="cc-exp"
          value={input.expiry}
          error={errorOf('expiry')}
          maxLength={12}
          onChange={(event) => onInput({ expiry: event.target.value })}
        />
        <Field
          id="card-securityCode"
          label="Security code"
          hint="3 digits on the back"
          inputMode="numeric"
          autoComplete="cc-csc"
          value={input.securityCode}
          error={errorOf('securityCode')}
          maxLength={6}
          onChange={(event) => onInput({ securityCode: event.target.value })}
        />
      </div>
      <Field
        id="card-name"
        label="Name on card (optional)"
        autoComplete="cc-name"
        value={input.name}
        error={errorOf('name')}
        maxLength={200}
        onChange={(event) => onInput({ name: event.target.value })}
      />
    </>
  );
}

const fieldOrder = ['number', 'expiry', 'securityCode', 'name'] as const;

function TestCards({ onChoose }: { onChoose(number: string): void }) {
  return (
    <details className={styles.test}>
      <summary>
        <strong>Test payments.</strong> No money moves. Use card 4242 4242 4242 4242.
      </summary>
      <p>All test cards. They accept any future expiry date and any three digits.</p>
      <ul>
        {sandboxCards.map(({ number, label }) => (
          <li key={number}>
            <button type="button" onClick={() => onChoose(number)}>
              {groupDigits(number)}
            </button>
            <span>{label}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
