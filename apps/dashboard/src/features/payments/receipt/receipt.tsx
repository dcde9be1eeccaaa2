import type { CaseSearch, Payment } from '@keyturn/contract';
import { cardText, payByBank } from '@keyturn/format/card-brand';
import { formatFullMoment, formatShortDayOf } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { isRefundPending } from '@keyturn/format/refunds';
import { vatNotice } from '@keyturn/format/vat-notice';
import { Button, buttonClass } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { nextStepOfSearch } from '../../../api/case/order-promise.ts';
import { payerOf } from '../../../api/payments/started-payment.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { MoneyLines } from '../../../ui/content/money-lines.tsx';
import { propertyAddress } from '../frame/bill.tsx';
import formStyles from '../frame/payment-form.module.css';
import screenStyles from '../frame/payment-frame.module.css';
import { PaymentSteps } from '../frame/payment-steps.tsx';
import { accountFact, afterOtherPayment, anotherCardNote, clearingFact } from '../status/clearing.ts';
import { paymentNote } from '../status/payment-status.ts';
import { DownloadReceipt } from './download-receipt.tsx';
import styles from './receipt.module.css';

/** The receipt of a paid payment, and what happens next. It prints on one page. */
export function Receipt({ payment, caseSearch }: { payment: Payment; caseSearch: CaseSearch | undefined }) {
  const { config } = useServices();
  const conveyancingCase = useClient().data?.conveyancing_case;
  const firm = conveyancingCase?.firm ?? config.firm;
  const another = conveyancingCase?.tasks.find(
    (task) => task.status === 'open' && task.kind === 'pay_search',
  );
  const today = useToday();
  const payer = payerOf(payment.payer.client, useClient().data?.id);
  return (
    <div className={screenStyles.page}>
      <div className={styles.receiptPage}>
        <PaymentSteps at="Receipt" />
        <PageHeading>
          {payer.kind === 'other' && payment.payer.own_card !== false
            ? `${payer.firstName} paid ${formatMoney(payment.amount)}`
            : `Payment received: ${formatMoney(payment.amount)}`}
        </PageHeading>
        <p className={screenStyles.lead} role="status">
          {caseSearch
            ? nextStepOfSearch(caseSearch, payment, firm, today)
            : afterOtherPayment(payment, today)}
        </p>
        <section className={styles.receipt} aria-labelledby="receipt">
          <h2 id="receipt">Receipt {payment.receipt_number}</h2>
          <ReceiptFacts payment={payment} />
          <MoneyLines
            lines={[{ label: 'Total paid', amount: payment.amount, total: true }, ...refundLines(payment)]}
          />
          {[
            paymentNote(payment, firm ?? null),
            caseSearch ? null : anotherCardNote(payment),
            noticeOf(payment),
          ].map(
            (text) =>
              text && (
                <p key={text} className={formStyles.hint}>
                  {text}
                </p>
              ),
          )}
          {payment.provider === 'sandbox' && (
            <p className={formStyles.hint}>Test payment. No money has moved.</p>
          )}
        </section>
        {payment.receipt_mail && <MailedTo {...payment.receipt_mail} />}
        <div className={styles.actions}>
          <Link to="/" className={buttonClass({})}>
            {another ? 'See what else we need' : 'Back to your case'}
          </Link>
          <DownloadReceipt payment={payment} look="quiet" />
          <Button look="plain" onClick={() => window.print()}>
            Print this receipt
          </Button>
        </div>
      </div>
    </div>
  );
}

/** A line for each refund that reached the payer or is on its way, and what is left. */
function refundLines({ amount, refunded_amount, refunds }: Payment) {
  if (refunded_amount === 0) return [];
  const made = refunds
    .filter(({ failed_at }) => failed_at === null)
    .map((refund) => ({
      label: `${isRefundPending(refund) ? 'Refund started' : 'Refunded'} ${formatShortDayOf(refund.created_at)}`,
      amount: -refund.amount,
    }));
  const lines = made.length > 0 ? made : [{ label: 'Refunded', amount: -refunded_amount }];
  return [...lines, { label: 'Total after refund', amount: amount - refunded_amount }];
}

/** The facts of a receipt: the payer, the purpose, the dates, and whether the money has cleared. */
function ReceiptFacts({ payment }: { payment: Payment }) {
  const { config } = useServices();
  const conveyancingCase = useClient().data?.conveyancing_case;
  const today = useToday();
  const { card, paid_at, payer, reference } = payment;
  const matter = conveyancingCase?.matters.find(({ id }) => id === payment.matter_id);
  const firm = conveyancingCase?.firm ?? config.firm;
  const cleared = clearingFact(payment, today);
  const facts = {
    Paid: paid_at && formatFullMoment(paid_at),
    ...(cleared ? { [cleared.name]: cleared.text } : {}),
    'Arrived in our client account': accountFact(payment, today),
    For: payment.description,
    Reference: reference,
    Property: matter && propertyAddress(matter.property),
    Case: conveyancingCase?.reference,
    'Paid by': payer.name,
    ...(payment.method === 'bank' ? { 'Paid with': payByBank } : { Card: card && cardText(card) }),
    'On your statement': payment.statement_descriptor,
    'Paid to': firm?.name,
  };
  return (
    <dl className={styles.facts}>
      {Object.entries(facts).map(
        ([name, text]) =>
          text && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const noticeOf = ({ kind, lines, bill }: Payment) =>
  vatNotice({ kind, lines, bill: bill && { number: bill.number, left: bill.left ?? null } });

/** The server sends the address to the client who paid only. */
function MailedTo({ to, sent_at }: NonNullable<Payment['receipt_mail']>) {
  return (
    <p className={styles.mailed}>
      {sent_at === null ? 'We are emailing this receipt to ' : 'We have emailed this receipt to '}
      <strong>{to}</strong>. If it has not arrived in a few minutes, check your junk folder.
    </p>
  );
}
