import { cardRefusalMessage } from '@keyturn/contract';
import { cardBrandName } from '@keyturn/format/card-brand';
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
  /** Pence refunded this time; 0 for other mails. */
  refundAmount: number;
}

/**
 * Composes the mail about a payment: what happened, the figures and what to do. It never contains bank details, so that
 * clients learn not to trust mails that do.
 */
export function composePaymentMail(
  content: PaymentMailContent,
): Pick<Mail, 'subject' | 'paragraphs' | 'facts' | 'closing'> {
  const { subject, paragraphs, heading, closing } = texts[content.kind](content);
  const isTest = content.payment.provider === 'sandbox';
  return {
    subject: isTest ? `Test payment: ${subject}` : subject,
    paragraphs: [
      content.greeting,
      ...paragraphs,
      ...(isTest ? ['This was a test payment. No money has moved.'] : []),
    ],
    facts: { heading, rows: factsOf(content) },
    closing: [...closing, 'Didn’t make this payment? Call us straight away on a number you already have.'],
  };
}

interface MailText {
  subject: string;
  paragraphs: string[];
  heading: string;
  closing: string[];
}

const texts: Record<PaymentMailRow['kind'], (content: PaymentMailContent) => MailText> = {
  receipt: ({ payment }) => ({
    subject: `Payment received: ${formatMoney(payment.amount)}, ${payment.description}`,
    paragraphs: [
      `Thank you. We’ve received your payment of ${formatMoney(payment.amount)}. Your receipt is attached.`,
    ],
    heading: `Receipt ${payment.receiptNumber}`,
    closing: [],
  }),
  refund: ({ payment, refundAmount }) => ({
    subject: `We refunded ${formatMoney(refundAmount)}`,
    paragraphs: [
      refundAmount === payment.amount
        ? `We refunded all of the ${formatMoney(payment.amount)} you paid.`
        : `We refunded ${formatMoney(refundAmount)} of the ${formatMoney(payment.amount)} you paid.`,
      'The money goes back to the card you paid with. Banks usually show it within 5 to 10 working days.',
    ],
    heading: `Receipt ${payment.receiptNumber}`,
    closing: ['Your updated receipt is attached.'],
  }),
  not_paid: ({ payment }) => ({
    subject: `Your payment of ${formatMoney(payment.amount)} didn’t go through`,
    paragraphs: [
      `Your bank was still confirming your payment of ${formatMoney(payment.amount)}. In the end it didn’t go through.`,
      payment.failureCode ? cardRefusalMessage(payment.failureCode) : 'You have not been charged.',
    ],
    heading: 'Payment not made',
    closing: ['You can still pay online. If you’d rather talk to us, call us.'],
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
    ['Card', cardBrand && cardLast4 ? `${cardBrandName(cardBrand)} ending ${cardLast4}` : null],
    ['Net', vat > 0 ? formatMoney(net) : null],
    ['VAT', vat > 0 ? formatMoney(vat) : null],
    [kind === 'not_paid' ? 'Amount' : 'Total paid', formatMoney(payment.amount)],
    ['Refunded so far', payment.refundedAmount > 0 ? formatMoney(payment.refundedAmount) : null],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

/** Formats an instant in London time as receipts and screens do: "21 November 2026 at 9:00 am". */
export function formatMoment(instant: Date): string {
  const { date, month, year } = dayParts(londonDay(instant));
  return `${date} ${month} ${year} at ${formatTime(instant)}`;
}
