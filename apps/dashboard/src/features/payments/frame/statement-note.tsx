import styles from './payment-form.module.css';

/** What the client’s statement will show of the payment, so that they recognise it later. */
export function StatementNote({ descriptor, isTest }: { descriptor: string; isTest: boolean }) {
  return (
    <p className={styles.statement}>
      {isTest ? 'On a real statement: ' : 'On your statement: '}
      <strong>{descriptor}</strong>
      {isTest ? '. This is a test, so nothing appears there.' : '. Your bank may shorten it.'}
    </p>
  );
}
