import { useClient } from '../../../api/queries/use-client.ts';
import styles from './quote-reference.module.css';

/** The case reference to quote in a call about a payment. */
export function QuoteReference() {
  const reference = useClient().data?.conveyancing_case?.reference;
  if (reference === undefined) return null;
  return (
    <p className={styles.quote}>
      If you call us about this payment, quote <span className={styles.reference}>{reference}</span>.
    </p>
  );
}
