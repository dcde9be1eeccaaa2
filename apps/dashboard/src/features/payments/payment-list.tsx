import type { CaseSearch, Matter, Payment } from '@keyturn/contract';
import { formatMoment, formatShortDay, londonDay } from '../../ui/format-date.ts';
import { formatMoney } from '../../ui/format-money.ts';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useToday } from '../../ui/use-today.ts';
import { addressOf } from './bill.tsx';
import { CancelPayment } from './cancel-payment.tsx';
import { ContinuePayment } from './continue-payment.tsx';
import { DownloadReceipt } from './download-receipt.tsx';
import styles from './payment-list.module.css';
import { byWhatIsOpen, isUnfinished, paymentState } from './payment-state.ts';

export interface PaymentListProps {
  payments: Payment[];
  /** Searches that were paid in another way. */
  elsewhere: CaseSearch[];
  caseSearches: CaseSearch[];
  matters: Matter[];
}

/** Every payment as it really stands, with what can be done about it. */
export function PaymentList({ payments, elsewhere, caseSearches, matters }: PaymentListProps) {
  const homeOf = (matterId: string | null) => {
    const matter = matters.find(({ id }) => id === matterId);
    return matter ? addressOf(matter.property) : null;
  };
  return (
    <ul className={styles.list}>
      {[...payments].sort(byWhatIsOpen).map((payment) => (
        <PaymentRow
          key={payment.id}
          payment={payment}
          home={homeOf(payment.matter_id)}
          caseSearch={caseSearches.find(({ id }) => id === payment.case_search_id)}
        />
      ))}
      {elsewhere.map(({ id, name, matter_id, price, paid_at }) => (
        <li key={id} className={styles.row}>
          <div className={styles.what}>
            <h3>{name}</h3>
            {homeOf(matter_id) && <p>{homeOf(matter_id)}</p>}
            <p>Paid to us in another way, not by card here.</p>
          </div>
          <p className={styles.state}>
            <StatusTag tone="good">
              {paid_at ? `Paid ${formatShortDay(londonDay(paid_at))}` : 'Paid'}
            </StatusTag>
          </p>
          <p className={styles.money} data-made>
            {formatMoney(price.gross)}
          </p>
        </li>
      ))}
    </ul>
  );
}

interface PaymentRowProps {
  payment: Payment;
  home: string | null;
  caseSearch: CaseSearch | undefined;
}

function PaymentRow({ payment, home, caseSearch }: PaymentRowProps) {
  const today = useToday();
  const { tone, words } = paymentState(payment);
  const { amount, card, created_at, description, paid_at, payer, receipt_number, reference } = payment;
  const isOpen = isUnfinished(payment);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <h3>{description}</h3>
        {home && <p>{home}</p>}
        {reference && <p>Your reference: {reference}</p>}
        {paid_at ? (
          <p>
            {[
              receipt_number && `Receipt ${receipt_number}`,
              card && `card ending ${card.last4}`,
              payer.name && `paid by ${payer.name}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        ) : (
          <p>Begun {formatMoment(created_at, today)}</p>
        )}
      </div>
      <p className={styles.state}>
        <StatusTag tone={tone}>{words}</StatusTag>
      </p>
      <p className={styles.money} data-made={paid_at !== null || undefined}>
        {formatMoney(amount)}
      </p>
      {(isOpen || receipt_number !== null) && (
        <div className={styles.actions}>
          {isOpen && <ContinuePayment payment={payment} caseSearch={caseSearch} />}
          {isOpen && <CancelPayment payment={payment} saysWhat />}
          <DownloadReceipt payment={payment} look="plain" saysWhich />
        </div>
      )}
    </li>
  );
}
