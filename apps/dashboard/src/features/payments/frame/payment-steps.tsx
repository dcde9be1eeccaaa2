import styles from './payment-steps.module.css';

const steps = ['Check', 'Pay', 'Receipt'] as const;

/** The steps of a payment, with the current one marked. */
export function PaymentSteps({ at }: { at: (typeof steps)[number] }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((step, index) => (
        <li
          key={step}
          className={step === at ? styles.here : undefined}
          aria-current={step === at ? 'step' : undefined}
        >
          <span className={styles.number}>{index + 1}</span> {step}
        </li>
      ))}
    </ol>
  );
}
