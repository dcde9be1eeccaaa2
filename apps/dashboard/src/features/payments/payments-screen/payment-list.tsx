import type { CaseSearch, Matter, Payment } from '@keyturn/contract';
import { useState } from 'react';
import { useCaseStore } from '../../../api/case/use-case-state.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { classNames } from '../../../ui/base/class-names.ts';
import moneyRow from '../../../ui/content/money-row.module.css';
import { StatusTag } from '../../../ui/content/status-tag.tsx';
import { formatMoment, formatShortDay, londonDay } from '../../../ui/format/format-date.ts';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { DownloadReceipt } from '../receipt/download-receipt.tsx';
import { addressOf } from '../shared/bill.tsx';
import { CancelPayment } from '../shared/cancel-payment.tsx';
import {
  compareUnfinishedFirst,
  isUnfinished,
  paymentNote,
  paymentStatusTag,
} from '../shared/payment-status.ts';
import { ContinuePayment } from './continue-payment.tsx';
import styles from './payment-list.module.css';

export interface PaymentListProps {
  payments: Payment[];
  /** Searches that were paid by another method. */
  paidOtherwise: CaseSearch[];
  caseSearches: CaseSearch[];
  matters: Matter[];
}

/** Every payment with its current status and what the client can do about it. */
export function PaymentList({ payments, paidOtherwise, caseSearches, matters }: PaymentListProps) {
  const caseState = useCaseStore();
  const [lastCancelled, setLastCancelled] = useState<Payment | null>(null);
  const propertyOf = (matterId: string | null) => {
    const matter = matters.find(({ id }) => id === matterId);
    return matter ? addressOf(matter.property) : null;
  };
  const onCancelled = (payment: Payment) => {
    setLastCancelled(payment);
    const { otherPayment } = caseState.get();
    if (otherPayment?.paymentId === payment.id) caseState.forgetOtherPayment(otherPayment.idempotencyKey);
  };
  return (
    <>
      {lastCancelled && (
        <Alert
          key={lastCancelled.id}
          tone="information"
          takesFocus
          className={styles.cancelled}
          title={`${formatMoney(lastCancelled.amount)} for ${lastCancelled.description} is cancelled.`}
        >
          <p>Nothing was charged.</p>
        </Alert>
      )}
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
              <p>Paid by another method.</p>
            </div>
            <p className={moneyRow.state}>
              <StatusTag tone="good">
                {paid_at ? `Paid ${formatShortDay(londonDay(paid_at))}` : 'Paid'}
              </StatusTag>
            </p>
            <p className={moneyRow.money} data-strong>
              {formatMoney(price.gross)}
            </p>
          </li>
        ))}
      </ul>
    </>
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
  const { tone, words } = paymentStatusTag(payment);
  const { amount, card, created_at, description, paid_at, payer, receipt_number, reference } = payment;
  const isOpen = isUnfinished(payment);
  const note = paymentNote(payment);
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
              card && `card ending ${card.last4}`,
              payer.name && `paid by ${payer.name}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        ) : (
          <p>Started {formatMoment(created_at, today)}</p>
        )}
        {note && <p>{note}</p>}
      </div>
      <p className={moneyRow.state}>
        <StatusTag tone={tone}>{words}</StatusTag>
      </p>
      <p className={moneyRow.money} data-strong={paid_at !== null || undefined}>
        {formatMoney(amount)}
      </p>
      {(isOpen || receipt_number !== null) && (
        <div className={styles.actions}>
          {isOpen && <ContinuePayment payment={payment} caseSearch={caseSearch} />}
          {isOpen && <CancelPayment payment={payment} namesPayment onCancelled={onCancelled} />}
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
