import { sandboxCards } from '@keyturn/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/queries.ts';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Field } from '../../ui/field.tsx';
import { formatMoney } from '../../ui/format-money.ts';
import { type CardFaults, type CardInput, groupDigits, readCard } from './card-input.ts';
import styles from './payments.module.css';
import type { PaymentInUse } from './use-payment.ts';

/** The sandbox's card form. What is typed here goes to the provider and is kept nowhere. */
export function CardForm({ payment }: { payment: PaymentInUse }) {
  const { config } = useServices();
  const client = useClient().data;
  const [input, setInput] = useState<CardInput>({
    number: '',
    expiry: '',
    securityCode: '',
    name: client ? `${client.first_name} ${client.last_name}` : '',
  });
  const [faults, setFaults] = useState<CardFaults>({});
  const set = (change: Partial<CardInput>) => setInput((before) => ({ ...before, ...change }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (payment.busy) return;
    const read = readCard(input, new Date());
    setFaults('faults' in read ? read.faults : {});
    if ('card' in read) void payment.pay(read.card);
  };

  // A refusal of the bank stands at the card number, where the next card goes, until the next attempt.
  const refusal = payment.busy ? null : payment.refusal;
  const shown: CardFaults = refusal ? { number: refusal } : faults;
  const number = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refusal) number.current?.focus();
  }, [refusal]);
  return (
    <form onSubmit={submit} noValidate data-payment-form>
      {config.payments.provider === 'sandbox' && (
        <TestCards onChoose={(number) => set({ number: groupDigits(number) })} />
      )}
      <ErrorSummary
        title="Please check the card"
        faults={fieldOrder.flatMap((field) =>
          faults[field] ? [{ field: `card-${field}`, message: faults[field] }] : [],
        )}
      />
      <Field
        id="card-number"
        ref={number}
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        value={input.number}
        error={shown.number}
        maxLength={40}
        onChange={(event) => set({ number: event.target.value })}
        onBlur={() => set({ number: groupDigits(input.number) })}
      />
      <div className={styles.two}>
        <Field
          id="card-expiry"
          label="Expiry date"
          hint="For example 08 28"
          inputMode="numeric"
          autoComplete="cc-exp"
          value={input.expiry}
          error={shown.expiry}
          maxLength={12}
          onChange={(event) => set({ expiry: event.target.value })}
        />
        <Field
          id="card-securityCode"
          label="Security code"
          hint="3 digits on the back"
          inputMode="numeric"
          autoComplete="cc-csc"
          value={input.securityCode}
          error={shown.securityCode}
          maxLength={6}
          onChange={(event) => set({ securityCode: event.target.value })}
        />
      </div>
      <Field
        id="card-name"
        label="Name on card"
        autoComplete="cc-name"
        value={input.name}
        error={shown.name}
        maxLength={200}
        onChange={(event) => set({ name: event.target.value })}
      />
      <Button type="submit" size="full" busy={payment.busy} busyText="Paying, please wait">
        Pay {formatMoney(payment.amount)}
      </Button>
    </form>
  );
}

const fieldOrder = ['number', 'expiry', 'securityCode', 'name'] as const;

function TestCards({ onChoose }: { onChoose(number: string): void }) {
  return (
    <div className={styles.test}>
      <p>
        <strong>Test payments.</strong> No money moves. Use card 4242 4242 4242 4242.
      </p>
      <details>
        <summary>All test cards</summary>
        <p>Any future expiry date and any three digits will do.</p>
        <ul>
          {sandboxCards.map(({ number, says }) => (
            <li key={number}>
              <button type="button" onClick={() => onChoose(number)}>
                {groupDigits(number)}
              </button>
              <span>{says}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
