import type { CaseSearch, Payment } from '@keyturn/contract';
import { cardBrandName } from '@keyturn/format/card-brand';
import { Link } from '@tanstack/react-router';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Button, buttonClass } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { MoneyLines } from '../../../ui/content/money-lines.tsx';
import { formatDay, formatTime, londonDay } from '../../../ui/format/format-date.ts';
import { formatMoney, formatRate } from '../../../ui/format/format-money.ts';
import { addressOf } from '../shared/bill.tsx';
import { moneyDestination } from '../shared/payment-categories.ts';
import formStyles from '../shared/payment-form.module.css';
import screenStyles from '../shared/payment-frame.module.css';
import { paymentNote } from '../shared/payment-status.ts';
import { PaymentSteps } from '../shared/payment-steps.tsx';
import { DownloadReceipt } from './download-receipt.tsx';
import styles from './receipt.module.css';

/** The receipt of a paid payment, and what happens next. It prints on one page. */
export function Receipt({ payment, caseSearch }: { payment: Payment; caseSearch: CaseSearch | undefined }) {
  const { config } = useServices();
  const conveyancingCase = useClient().data?.conveyancing_case;
  const matter = conveyancingCase?.matters.find(({ id }) => id === payment.matter_id);
  const firm = conveyancingCase?.firm ?? config.firm;
  const another = conveyancingCase?.tasks.find(
    (task) => task.status === 'open' && task.kind === 'pay_search',
  );
  const note = paymentNote(payment);
  const net = payment.lines.reduce((sum, line) => sum + line.net, 0);
  const vat = payment.lines.reduce((sum, line) => sum + line.vat, 0);
  const rates = [...new Set(payment.lines.filter((line) => line.vat > 0).map((line) => line.vat_rate))];
  return (
    <div className={screenStyles.page}>
      <div className={styles.receiptPage}>
        <PaymentSteps at="Receipt" />
        <PageHeading>Payment received: {formatMoney(payment.amount)}</PageHeading>
        <p className={screenStyles.lead} role="status">
          {caseSearch ? nextStep(caseSearch) : moneyDestination(payment.category).after}
        </p>
        <section className={styles.receipt} aria-labelledby="receipt">
          <h2 id="receipt">Receipt {payment.receipt_number}</h2>
          <dl className={styles.facts}>
            {payment.paid_at && (
              <Fact name="Paid">
                {formatDay(londonDay(payment.paid_at))}, {formatTime(payment.paid_at)}
              </Fact>
            )}
            <Fact name="For">{payment.description}</Fact>
            {payment.reference && <Fact name="Reference">{payment.reference}</Fact>}
            {matter && <Fact name="Property">{addressOf(matter.property)}</Fact>}
            {conveyancingCase && <Fact name="Case">{conveyancingCase.reference}</Fact>}
            {payment.payer.name && <Fact name="Paid by">{payment.payer.name}</Fact>}
            {payment.card && (
              <Fact name="Card">
                {cardBrandName(payment.card.brand)} ending {payment.card.last4}
              </Fact>
            )}
            {firm && (
              <Fact name="Paid to">
                {payment.lines.every((line) => line.client_money)
                  ? `${firm.name}, client account`
                  : firm.name}
              </Fact>
            )}
          </dl>
          <MoneyLines
            lines={[
              ...(payment.kind === 'search' || vat > 0
                ? [
                    { label: 'Net', amount: net },
                    { label: vat > 0 ? `VAT at ${rates.map(formatRate).join(', ')}` : 'No VAT', amount: vat },
                  ]
                : []),
              { label: 'Total paid', amount: payment.amount, total: true },
              ...(payment.refunded_amount > 0
                ? [{ label: 'Refunded', amount: -payment.refunded_amount }]
                : []),
            ]}
          />
          {note && <p className={formStyles.hint}>{note}</p>}
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

/** The server sends the address to the client who paid only. */
function MailedTo({ to, sent_at }: NonNullable<Payment['receipt_mail']>) {
  return (
    <p className={styles.mailed}>
      {sent_at === null ? 'We are emailing this receipt to ' : 'We have emailed this receipt to '}
      <strong>{to}</strong>. If it has not arrived in a few minutes, check your junk folder.
    </p>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function nextStep({ status, supplier }: CaseSearch): string {
  if (status === 'cancelled') return 'This search was cancelled. We will tell you how much is refunded.';
  if (status === 'returned' || status === 'reviewed') return 'We have received the result.';
  if (status === 'ordered') return `We have ordered the search from ${supplier}.`;
  return `We order the search from ${supplier} the same working day and tell you here when we have the result.`;
}
