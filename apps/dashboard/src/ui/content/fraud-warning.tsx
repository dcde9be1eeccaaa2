import styles from './fraud-warning.module.css';
import { Panel } from './panel.tsx';

/** Near payments and contacts. `whom`: whom to call, by first name; "us" unless told. */
export function FraudWarning({ contact = 'us' }: { contact?: string }) {
  return (
    <Panel look="note" small title="Our bank details never change">
      <p className={styles.words}>
        We never send or change them by email. If you get such a message, call {contact} on the number you
        already know.
      </p>
    </Panel>
  );
}
