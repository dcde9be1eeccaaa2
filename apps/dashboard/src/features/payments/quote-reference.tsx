import { useClient } from '../../api/queries.ts';
import styles from './payment-form.module.css';

/** What to say on the phone, whatever has become of the payment: the case's own reference. */
export function QuoteReference() {
  const reference = useClient().data?.conveyancing_case?.reference;
  if (reference === undefined) return null;
  return <p className={styles.hint}>If you call us about this payment, quote {reference}.</p>;
}
