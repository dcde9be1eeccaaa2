import { bankDetailsAdvice } from '@keyturn/format/bank-details-advice';
import styles from './fraud-warning.module.css';
import { Panel } from './panel.tsx';

/** Warns of fraud near payments and contacts. */
export function FraudWarning() {
  return (
    <Panel look="note" small title="New bank details? Call us first">
      <p className={styles.words}>{bankDetailsAdvice}</p>
    </Panel>
  );
}
