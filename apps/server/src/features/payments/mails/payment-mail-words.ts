import { cardRefusalMessage } from '@keyturn/contract';
import { dayParts, formatTime, londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import type { Mail } from '../../../platform/mailer.ts';
import type { DescribedCase } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import type { PaymentMailRow } from './mails-store.ts';

export interface PaymentMailContent {
  kind: PaymentMailRow['kind'];
  payment: PaymentRow;
  described: DescribedCase;
  greeting: string;
  /** Pence, of a refund: what this one is about. */
  givenBack: number;
}

/** What a mail says of a payment: what happened, the figures, what to do. No bank details, whatever happened. */
export function paymentMailWords(
  content: PaymentMailContent,
): Pick<Mail, 'subject' | 'paragraphs' | 'facts' | 'closing'> {
  const { subject, story, heading, closing } = words[content.kind](content);
  const isTest = content.payment.provider === 'sandbox';
  return {
    subject: isTest ? `Test payment: ${subject}` : subject,
    paragraphs: [
      content.greeting,
      ...story,
      ...(isTest ? ['This was a test payment. No money has moved.'] : []),
    ],
    facts: { heading, rows: factsOf(content) },
    closing: [
      ...closing,
      `Was this not you? Call ${content.described.firm.name} at once on the number that you already know.`,
    ],
  };
}

interface Words {
  subject: string;
  story: string[];
  heading: string;
  closing: string[];
}

const words: Record<PaymentMailRow['kind'], (content: PaymentMailContent) => Words> = {
  receipt: ({ payment }) => ({
    subject: `Receipt for ${formatMoney(payment.amount)}, ${payment.description}`,
    story: [
      `Thank you. Your payment of ${formatMoney(payment.amount)} has been made. The receipt is attached.`,
    ],
    heading: `Receipt ${payment.receiptNumber}`,
    closing: [],
  }),
  refund: ({ payment, givenBack }) => ({
    subject: `${formatMoney(givenBack)} paid back to you`,
    story: [
      givenBack === payment.amount
        ? `We have paid back all of the ${formatMoney(payment.amount)} that you paid.`
        : `We have paid back ${formatMoney(givenBack)} of the ${formatMoney(payment.amount)} that you paid.`,
      'It goes to the card that you paid with. Banks usually show it within 5 to 10 working days.',
    ],
    heading: `Receipt ${payment.receiptNumber}`,
    closing: ['The receipt as it now stands is attached.'],
  }),
  not_paid: ({ payment }) => ({
    subject: `Your payment of ${formatMoney(payment.amount)} did not go through`,
    story: [
      `Your bank was still confirming your payment of ${formatMoney(payment.amount)}. It did not go through after all.`,
      payment.failureCode ? cardRefusalMessage(payment.failureCode) : 'You have not been charged.',
    ],
    heading: 'What was not paid',
    closing: ['What is to be paid can still be paid. If you would rather talk to us, call us.'],
  }),
};

function factsOf({ kind, payment, described }: PaymentMailContent): [string, string][] {
  const vat = payment.lines.reduce((sum, line) => sum + line.vat, 0);
  const net = payment.lines.reduce((sum, line) => sum + line.net, 0);
  const { cardBrand, cardLast4 } = payment;
  const facts: [string, string | null][] = [
    ['For', payment.description],
    ['Your reference', payment.reference],
    ['Property', described.property],
    ['Case', described.caseReference],
    ['Paid on', payment.paidAt && formatMoment(payment.paidAt)],
    ['Paid by', payment.paidAt && (payment.payerName ?? described.payerName)],
    ['Card', cardBrand && cardLast4 ? `${brandName(cardBrand)} ending ${cardLast4}` : null],
    ['Net', vat > 0 ? formatMoney(net) : null],
    ['VAT', vat > 0 ? formatMoney(vat) : null],
    [kind === 'not_paid' ? 'Amount' : 'Total paid', formatMoney(payment.amount)],
    ['Paid back so far', payment.refundedAmount > 0 ? formatMoney(payment.refundedAmount) : null],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

const brandName = (brand: string) =>
  brand === 'visa' ? 'Visa' : brand === 'mastercard' ? 'Mastercard' : 'Card';

/** Formats an instant in London time as receipts and screens do: "21 November 2026 at 9:00 am". */
export function formatMoment(instant: Date): string {
  const { date, month, year } = dayParts(londonDay(instant));
  return `${date} ${month} ${year} at ${formatTime(instant)}`;
}
