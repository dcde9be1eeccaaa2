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
  /** Searches that were paid in another way. */
  elsewhere: CaseSearch[];
  caseSearches: CaseSearch[];
  matters: Matter[];
}

/** Every payment as it really stands, with what can be done about it. */
export function PaymentList({ payments, elsewhere, caseSearches, matters }: PaymentListProps) {
  const caseState = useCaseStore();
  const [lastCanceled, setCanceled] = useState<Payment | null>(null);
  const homeOf = (matterId: string | null) => {
    const matter = matters.find(({ id }) => id === matterId);
    return matter ? addressOf(matter.property) : null;
  };
  const canceled = (payment: Payment) => {
    setCanceled(payment);
    const { otherPayment } = caseState.get();
    if (otherPayment?.paymentId === payment.id) caseState.forgetOtherPayment(otherPayment.idempotencyKey);
  };
  return (
    <>
      {lastCanceled && (
        <Alert
          key={lastCanceled.id}
          tone="information"
          takesFocus
          className={styles.canceled}
          title={`${formatMoney(lastCanceled.amount)} for ${lastCanceled.description} is cancelled.`}
        >
          <p>Nothing was charged.</p>
        </Alert>
      )}
      <ul className={classNames(moneyRow.list, styles.list)}>
        {[...payments].sort(compareUnfinishedFirst).map((payment) => (
          <PaymentRow
            key={payment.id}
            payment={payment}
            home={homeOf(payment.matter_id)}
            caseSearch={caseSearches.find(({ id }) => id === payment.case_search_id)}
            onCanceled={() => canceled(payment)}
          />
        ))}
        {elsewhere.map(({ id, name, matter_id, price, paid_at }) => (
          <li key={id} className={classNames(moneyRow.row, styles.row)}>
            <div className={moneyRow.what}>
              <h3>{name}</h3>
              {homeOf(matter_id) && <p>{homeOf(matter_id)}</p>}
              <p>Paid to us in another way, not by card here.</p>
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
  home: string | null;
  caseSearch: CaseSearch | undefined;
  onCanceled(): void;
}

function PaymentRow({ payment, home, caseSearch, onCanceled }: PaymentRowProps) {
  const today = useToday();
  const { tone, words } = paymentStatusTag(payment);
  const { amount, card, created_at, description, paid_at, payer, receipt_number, reference } = payment;
  const isOpen = isUnfinished(payment);
  const note = paymentNote(payment);
  return (
    <li className={classNames(moneyRow.row, styles.row)}>
      <div className={moneyRow.what}>
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
          {isOpen && <CancelPayment payment={payment} saysWhat onCancelled={onCanceled} />}
          <DownloadReceipt payment={payment} look="plain" saysWhich />
        </div>
      )}
    </li>
  );
}

/** The same while they are on their way. */
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
