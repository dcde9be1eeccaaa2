import type { CaseSearch, Matter, Payment } from '@keyturn/contract';
import { formatMoment, formatShortDayOf } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { payerOf } from '../../../api/payments/started-payment.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import moneyRow from '../../../ui/content/money-row.module.css';
import { CancelPayment } from '../cancel/cancel-payment.tsx';
import { propertyAddress } from '../frame/bill.tsx';
import { DownloadReceipt } from '../receipt/download-receipt.tsx';
import { clearingNote } from '../status/clearing.ts';
import {
  compareUnfinishedFirst,
  isUnfinished,
  paymentNote,
  paymentStatusTag,
} from '../status/payment-status.ts';
import { ContinuePayment } from './continue-payment.tsx';
import styles from './payment-list.module.css';

export interface PaymentListProps {
  payments: Payment[];
  /** Searches that were paid by another method. */
  paidOtherwise: CaseSearch[];
  caseSearches: CaseSearch[];
  matters: Matter[];
  onCancelled(payment: Payment): void;
}

/** Every payment with its current status and what the client can do about it. */
export function PaymentList({
  payments,
  paidOtherwise,
  caseSearches,
  matters,
  onCancelled,
}: PaymentListProps) {
  const propertyOf = (matterId: string | null) => {
    const matter = matters.find(({ id }) => id === matterId);
    return matter ? propertyAddress(matter.property) : null;
  };
  return (
    <ul className={classNames(moneyRow.list, styles.list)}>
      {[...payments].sort(compareUnfinishedFirst).map((payment) => (
        <PaymentRow
          key={payment.id}
          payment={payment}
          property={propertyOf(payment.matter_id)}
          caseSearch={caseSearches.find(({ id }) => id === payment.case_search_id)}
          onCancelled={() => onCancelled(payment)}
        />
      ))}
      {paidOtherwise.map(({ id, name, matter_id, price, paid_at }) => (
        <li key={id} className={classNames(moneyRow.row, styles.row)}>
          <div className={moneyRow.what}>
            <h3>{name}</h3>
            {propertyOf(matter_id) && <p>{propertyOf(matter_id)}</p>}
            <p>Paid by another method, so its receipt isn’t here. Ask us if you need a copy.</p>
          </div>
          <p className={moneyRow.state}>
            <StatusTag tone="good">{paid_at ? `Paid ${formatShortDayOf(paid_at)}` : 'Paid'}</StatusTag>
          </p>
          <p className={moneyRow.money} data-strong>
            {formatMoney(price.gross)}
          </p>
        </li>
      ))}
    </ul>
  );
}

interface PaymentRowProps {
  payment: Payment;
  property: string | null;
  caseSearch: CaseSearch | undefined;
  onCancelled(): void;
}

function PaymentRow({ payment, property, caseSearch, onCancelled }: PaymentRowProps) {
  const today = useToday();
  const { tone, text } = paymentStatusTag(payment);
  const client = useClient().data;
  const { config } = useServices();
  const payer = payerOf(payment.payer.client, client?.id);
  const { amount, card, created_at, description, paid_at, receipt_number, reference } = payment;
  const isOpen = isUnfinished(payment);
  const note = paymentNote(payment, client?.conveyancing_case?.firm ?? config.firm);
  const cleared = clearingNote(payment, today);
  return (
    <li className={classNames(moneyRow.row, styles.row)}>
      <div className={moneyRow.what}>
        <h3>{description}</h3>
        {property && <p>{property}</p>}
        {reference && <p>Your reference: {reference}</p>}
        {paid_at ? (
          <p>
            {[
              receipt_number && `Receipt ${receipt_number}`,
              payment.method === 'bank' ? 'by bank' : card && `card ending ${card.last4}`,
              payment.payer.name && `paid by ${payment.payer.name}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        ) : (
          <p>
            {payer.kind === 'other' ? `${payer.firstName} started this` : 'Started'}{' '}
            {formatMoment(created_at, today)}
          </p>
        )}
        {cleared && <p>{cleared}</p>}
        {note && <p>{note}</p>}
      </div>
      <p className={moneyRow.state}>
        <StatusTag tone={tone}>{text}</StatusTag>
      </p>
      <p className={moneyRow.money} data-strong={paid_at !== null || undefined}>
        {formatMoney(amount)}
      </p>
      {(isOpen || receipt_number !== null) && (
        <div className={styles.actions}>
          {isOpen && <ContinuePayment payment={payment} caseSearch={caseSearch} />}
          {isOpen && (
            <CancelPayment
              payment={payment}
              namesPayment
              warning={
                payer.kind === 'other' ? `${payer.firstName} started it, and sees that you cancelled it.` : ''
              }
              onCancelled={onCancelled}
            />
          )}
          <DownloadReceipt payment={payment} look="plain" namesReceipt />
        </div>
      )}
    </li>
  );
}

/** The size of the list while it loads. */
export function PaymentListSkeleton() {
  return (
    <ul className={classNames(moneyRow.list, styles.list)} aria-hidden="true">
      {[1, 2].map((row) => (
        <li key={row} className={classNames(moneyRow.row, styles.row, styles.waiting)}>
          <div className={moneyRow.what}>
            <Skeleton width={176} />
            <Skeleton />
            <Skeleton width={208} />
          </div>
          <div className={moneyRow.state}>
            <Skeleton width={96} />
          </div>
          <div className={moneyRow.money}>
            <Skeleton width={56} />
          </div>
        </li>
      ))}
    </ul>
  );
}
