import { useClient } from '../../../api/queries/use-client.ts';
import styles from './quote-reference.module.css';

/** What to say on the phone, whatever has become of the payment: the case's own reference. */
export function QuoteReference() {
  const reference = useClient().data?.conveyancing_case?.reference;
  if (reference === undefined) return null;
  return (
    <p className={styles.quote}>
      If you call us about this payment, quote <span className={styles.reference}>{reference}</span>.
    </p>
  );
}
