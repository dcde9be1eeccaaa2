import styles from './fraud-warning.module.css';
import { Panel } from './panel.tsx';

/** Warns of fraud near payments and contacts. @param props.text what the firm says about new bank details */
export function FraudWarning({ text }: { text: string }) {
  return (
    <Panel look="note" small title="New bank details? Call us first">
      <p className={styles.words}>{text}</p>
    </Panel>
  );
}
