import type { PaymentMethod } from '@keyturn/contract';
import { Choice } from '@keyturn/ui/forms/choice.tsx';
import styles from '../frame/payment-form.module.css';

interface MethodChoiceProps {
  method: PaymentMethod;
  onChange(change: { method: PaymentMethod }): void;
}

/** Card or bank: the first question, because the others depend on it. */
export function MethodChoice({ method, onChange }: MethodChoiceProps) {
  return (
    <fieldset className={styles.group}>
      <legend>How would you like to pay?</legend>
      <Choice
        id="method"
        name="method"
        checked={method === 'card'}
        hint="With a debit or credit card."
        onChoose={() => onChange({ method: 'card' })}
      >
        Card
      </Choice>
      <Choice
        id="method-bank"
        name="method"
        checked={method === 'bank'}
        hint="You approve the payment in your bank’s app or website. No card needed."
        onChoose={() => onChange({ method: 'bank' })}
      >
        Pay by bank
      </Choice>
    </fieldset>
  );
}

/**
 * What is different when a client pays by bank.
 * @param props.isOnly whether there is no other method for this payment
 * @param props.protection its version is recorded with the payment
 */
export function AboutPayByBank({ isOnly, protection }: { isOnly: boolean; protection: string | undefined }) {
  return (
    <div className={styles.group}>
      {isOnly && (
        <p>
          <strong>You pay this by bank.</strong> You approve it in your bank’s app or website. No card needed.
        </p>
      )}
      <p className={styles.hint}>{protection}</p>
    </div>
  );
}
