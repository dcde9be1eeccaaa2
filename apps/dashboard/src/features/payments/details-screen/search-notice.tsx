import type { CaseSearch, Client, Payment } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { usePayments } from '../../../api/queries/use-payments.ts';
import styles from '../frame/payment-form.module.css';

export interface SearchNoticeProps {
  client: Client;
  caseSearch: CaseSearch;
}

/**
 * Explains why a client must confirm a started payment again: the price has changed, or the joint client or the provider
 * cancelled it.
 */
export function SearchNotice({ client, caseSearch }: SearchNoticeProps) {
  const agreedPrice = usePaymentTabStore().agreedPrice(caseSearch.id);
  const payments = usePayments().data ?? [];
  const price = caseSearch.price.gross;
  if (agreedPrice !== null && agreedPrice !== price) {
    return (
      <Alert
        tone="attention"
        takesFocus
        className={styles.formAlert}
        title={`The price has changed from ${formatMoney(agreedPrice)} to ${formatMoney(price)}.`}
      >
        <p>You have not been charged. Please check the new price before you continue.</p>
      </Alert>
    );
  }
  const title = whyCancelled(payments, { caseSearch, clientId: client.id });
  if (title === null) return null;
  return (
    <Alert tone="attention" takesFocus className={styles.formAlert} title={title}>
      <p>You have not been charged. If you still want to pay, you can start again.</p>
    </Alert>
  );
}

/**
 * Says who or what cancelled this client's newest payment for a search; null if it is not cancelled, if the client did,
 * or if it expired.
 * @param payments newest first
 */
export function whyCancelled(
  payments: Payment[],
  { caseSearch, clientId }: { caseSearch: Pick<CaseSearch, 'id'>; clientId: string },
): string | null {
  const newest = payments.find(({ case_search_id }) => case_search_id === caseSearch.id);
  if (newest?.payer.client?.id !== clientId) return null;
  const { cancelled_by: by, stopped_by_provider: isStopped } = newest;
  if (by) return by.id === clientId ? null : `${by.first_name} cancelled the payment that you had started.`;
  return isStopped ? 'The payment that you had started was stopped before any money moved.' : null;
}
