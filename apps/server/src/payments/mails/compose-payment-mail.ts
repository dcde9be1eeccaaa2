import type { StoredRefundStatus } from '@keyturn/contract';
import { paymentFailureMessage } from '@keyturn/contract';
import { cardText, payByBank } from '@keyturn/format/card-brand';
import { anotherCardNotice, formatClearing, onceCleared } from '@keyturn/format/clearing';
import { dayParts, formatDay, formatTime, londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { formatPhone } from '@keyturn/format/phone-number';
import { vatNotice } from '@keyturn/format/vat-notice';
import { orderDay, orderDayOnceCleared } from '@keyturn/format/working-days';
import type { DescribedCase } from '../../case-file/cases/payable-cases.ts';
import type { Mail } from '../../platform/mailer.ts';
import type { ReceiptContent } from '../ports/printers.ts';
import { allocatedLines } from '../records/allocated-lines.ts';
import { awaitsPayerCheck } from '../records/payer-check.ts';
import { cardOf, clearingOf } from '../records/read-payment.ts';
import type { PaymentRow } from '../records/rows.ts';
import type { PaymentMailRow } from './mails-store.ts';

export interface PaymentMailContent {
  kind: PaymentMailRow['kind'];
  payment: PaymentRow;
  described: DescribedCase;
  /** The bill that the payment pays. */
  bill: ReceiptContent['bill'];
  greeting: string;
  /** The amount of the refund that the email is about, in pence; 0 for other emails. */
  refundAmount: number;
  /** The status of that refund now; null for other emails. */
  refundStatus: StoredRefundStatus | null;
  /** The day in London on which the email is sent. */
  today: string;
}

/**
 * Composes the email about a payment: what happened, the figures and what to do. It never contains bank details, so
 * that clients do not trust emails that do.
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

/**
 * Composes the email about a payment or a refund to an address that no client on the case has. It says nothing about client, case,
 * property or card.
 */
export function composeMailToOthers({
  kind,
  payment: { amount, paidAt, provider, receiptNumber },
  refundAmount,
  refundStatus,
}: Pick<PaymentMailContent, 'payment' | 'refundAmount' | 'refundStatus'> & {
  kind: 'receipt' | 'refund';
}): Pick<Mail, 'subject' | 'paragraphs' | 'facts' | 'closing'> {
  const subject =
    kind === 'receipt'
      ? `Payment received: ${formatMoney(amount)}`
      : `${refundVerb(refundStatus)} ${formatMoney(refundAmount)}`;
  const isTest = provider === 'sandbox';
  return {
    subject: isTest ? `Test payment: ${subject}` : subject,
    paragraphs: [
      'Hello,',
      kind === 'receipt'
        ? `We’ve received a payment of ${formatMoney(amount)}.`
        : `${refundVerb(refundStatus)} ${formatMoney(refundAmount)} of the payment with the receipt below.`,
      'Your address was given to us for the receipt of this payment. The full receipt is with our client.',
      ...(isTest ? ['This was a test payment. No money has moved.'] : []),
    ],
    facts: {
      heading: `Receipt ${receiptNumber}`,
      rows: [
        ...(paidAt ? [['Paid on', formatPaymentMoment(paidAt)] satisfies [string, string]] : []),
        ['Total paid', formatMoney(amount)],
      ],
    },
    closing: ['Not expecting this? Call us on a number you already have.'],
  };
}

interface MailText {
  subject: string;
  paragraphs: string[];
  heading: string;
  closing: string[];
}

const texts: Record<PaymentMailRow['kind'], (content: PaymentMailContent) => MailText> = {
  receipt: (content) => ({
    subject: `Payment received: ${formatMoney(content.payment.amount)}, ${content.payment.description}`,
    paragraphs: [
      `Thank you. We’ve received your payment of ${formatMoney(content.payment.amount)}. Your receipt is attached.`,
      ...nextSteps(content),
    ],
    heading: `Receipt ${content.payment.receiptNumber}`,
    closing: [],
  }),
  refund: ({ payment, refundAmount, refundStatus }) => ({
    subject: `${refundVerb(refundStatus)} ${formatMoney(refundAmount)}`,
    paragraphs: [
      refundAmount === payment.amount
        ? `${refundVerb(refundStatus)} all of the ${formatMoney(payment.amount)} you paid.`
        : `${refundVerb(refundStatus)} ${formatMoney(refundAmount)} of the ${formatMoney(payment.amount)} you paid.`,
      `The money goes back to the ${payment.method === 'bank' ? 'bank account you paid from' : 'card you paid with'}. Banks usually show it within 5 to 10 working days.`,
    ],
    heading: `Receipt ${payment.receiptNumber}`,
    closing: ['Your updated receipt is attached.'],
  }),
  refund_failed: ({ payment, refundAmount, refundStatus, described: { firm } }) => ({
    subject:
      refundStatus === 'cancelled'
        ? `Our refund of ${formatMoney(refundAmount)} was not made`
        : `The refund of ${formatMoney(refundAmount)} did not reach your bank`,
    paragraphs: [
      refundStatus === 'cancelled'
        ? `We told you about a refund of ${formatMoney(refundAmount)} of the ${formatMoney(payment.amount)} you paid. That refund was cancelled, and the money has not been paid back.`
        : `We told you about a refund of ${formatMoney(refundAmount)} of the ${formatMoney(payment.amount)} you paid. It did not reach your bank. That can happen when a card or an account is closed.`,
      `We’ll be in touch to agree how to pay it back. You can also call ${firm.name} on ${formatPhone(firm.phone)}. Check that this is the number you already have for us. Please don’t email us your bank details.`,
    ],
    heading: `Receipt ${payment.receiptNumber}`,
    closing: ['Your receipt without this refund is attached.'],
  }),
  not_paid: ({ payment }) => ({
    subject: `Your payment of ${formatMoney(payment.amount)} didn’t go through`,
    paragraphs: [
      payment.method === 'bank'
        ? `You approved a payment of ${formatMoney(payment.amount)} at your bank, and we were waiting for the money. In the end it didn’t go through.`
        : `Your bank was still confirming your payment of ${formatMoney(payment.amount)}. In the end it didn’t go through.`,
      payment.failureCode ? paymentFailureMessage(payment.failureCode) : 'You have not been charged.',
    ],
    heading: 'Payment not made',
    closing: ['You can still pay online. If you’d rather talk to us, call us.'],
  }),
};

/** A refund that the provider has accepted has not been paid out yet. */
const refundVerb = (status: StoredRefundStatus | null) =>
  status === 'pending' || status === 'requires_action' ? 'We’re refunding' : 'We refunded';

/** Describes what the firm does with the money of a payment, and when. */
function nextSteps({ payment, described: { firm, bankHolidays }, today }: PaymentMailContent): string[] {
  const { paidAt, kind } = payment;
  const isSearch = paidAt !== null && kind === 'search';
  if (awaitsPayerCheck(payment))
    return [anotherCardNotice, ...(isSearch ? ['Then we order the search.'] : [])];
  if (!isSearch) return [];
  const clearing = firm.order_searches === 'cleared' ? clearingOf(payment, bankHolidays) : null;
  if (clearing && !clearing.is_cleared)
    return [`We’ll order the search ${onceCleared(clearing.on < today ? null : formatDay(clearing.on))}.`];
  const orderOn = clearing ? orderDayOnceCleared(paidAt, clearing.on, firm) : orderDay(paidAt, firm);
  return orderOn >= today ? [`We’ll order the search on ${formatDay(orderOn)}.`] : [];
}

function factsOf({ kind, payment, described, bill }: PaymentMailContent): [string, string][] {
  const card = cardOf(payment);
  const clearing = clearingOf(payment, described.bankHolidays);
  const facts: [string, string | null][] = [
    ['For', payment.description],
    ['Your reference', payment.reference],
    ['Property', described.property],
    ['Case', described.caseReference],
    ['Paid on', payment.paidAt && formatPaymentMoment(payment.paidAt)],
    ...(clearing ? [formatClearing(clearing)] : []),
    ['Paid by', payment.paidAt && (payment.payerName ?? described.payerName)],
    ...(payment.method === 'bank'
      ? ([['Paid with', payment.paidAt && payByBank]] as [string, string | null][])
      : ([['Card', card && cardText(card)]] as [string, string | null][])),
    ['On your statement', payment.statementDescriptor],
    [kind === 'not_paid' ? 'Amount' : 'Total paid', formatMoney(payment.amount)],
    ['Refunded so far', payment.refundedAmount > 0 ? formatMoney(payment.refundedAmount) : null],
    [
      'About VAT',
      payment.paidAt &&
        vatNotice({ kind: payment.kind, lines: allocatedLines(payment.lines, payment.allocation), bill }),
    ],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

/** Formats an instant in London time as receipts and screens do: "21 November 2026 at 9:00 am". */
export function formatPaymentMoment(instant: Date): string {
  const { date, month, year } = dayParts(londonDay(instant));
  return `${date} ${month} ${year} at ${formatTime(instant)}`;
}
