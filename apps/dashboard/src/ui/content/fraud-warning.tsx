import styles from './fraud-warning.module.css';
import { Panel } from './panel.tsx';

/** Warns of fraud near payments and contacts. @param contact the first name of the person to call */
export function FraudWarning({ contact = 'us' }: { contact?: string }) {
  return (
    <Panel look="note" small title="Our bank details never change">
      <p className={styles.words}>
        We will never send you new bank details by email. If you get an email like that, call {contact} on a
        number you already have.
      </p>
    </Panel>
  );
}
