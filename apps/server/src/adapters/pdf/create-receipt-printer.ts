import { cardText, payByBank } from '@keyturn/format/card-brand';
import { anotherCardNotice, formatClearing } from '@keyturn/format/clearing';
import { formatDay, formatDayAndTime, londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { formatPhone } from '@keyturn/format/phone-number';
import { isRefundPending, owedRefunds } from '@keyturn/format/refunds';
import { vatNotice } from '@keyturn/format/vat-notice';
import { createFontLibrary, type TaggedDocument } from '@keyturn/pdf';
import type { ReceiptContent, ReceiptPrinter } from '../../payments/ports/printers.ts';
import { addFacts } from './add-facts.ts';
import { colours, createLetterheadDocument, styles } from './letterhead-document.ts';
import { addPaymentTable } from './payment-table.ts';

/** Creates a printer for payment receipts. */
export function createReceiptPrinter(): ReceiptPrinter {
  const fonts = createFontLibrary();
  return {
    print: async (receipt) => {
      const title = `Receipt ${receipt.receiptNumber}`;
      const document = createLetterheadDocument(fonts, {
        title,
        firm: receipt.firm,
        statutoryLine: receipt.statutoryLine,
        createdAt: receipt.paidAt,
        runningTitle: title,
        pageName: 'Page',
      });
      document.addText(document.addElement(document.root, 'H1'), 'H1', title, styles.title, { leading: 1.2 });
      document.y += 4;
      document.addText(document.addElement(document.root, 'P'), 'P', paidLine(receipt), styles.soft);
      document.y += 18;
      if (receipt.sandbox) addSandboxNotice(document);
      addFacts(document, factsOf(receipt));
      document.y += 20;
      addPaymentTable(document, receipt, { showsVat: false });
      addNotes(document, receipt);
      return document.finish();
    },
  };
}

const paidLine = ({ paidAt }: ReceiptContent) => `Paid on ${formatDayAndTime(paidAt)}`;

function factsOf(receipt: ReceiptContent): [string, string][] {
  const facts: [string, string | null][] = [
    ['Paid by', receipt.payerName],
    receipt.method === 'bank' ? ['Paid with', payByBank] : ['Card', receipt.card && cardText(receipt.card)],
    ['On your statement', receipt.statementDescriptor],
    ...(receipt.clearing ? [formatClearing(receipt.clearing)] : []),
    ['Paid to', receipt.firm.name],
    ['For', receipt.description],
    ['Property', receipt.property],
    ['Case', receipt.caseReference],
    [receipt.clientNames.length > 1 ? 'Clients' : 'Client', receipt.clientNames.join('\n')],
    ['Your reference', receipt.reference],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]?.trim()));
}

function addSandboxNotice(document: TaggedDocument): void {
  const { pdf } = document;
  const height = 32;
  document.drawArtifact(() => {
    pdf.rect(document.left, document.y, document.width, height).fill(colours.accentWash);
    pdf.rect(document.left, document.y, 3, height).fill(colours.accent);
  });
  const end = document.y + height;
  document.y += (height - styles.strong.size * 1.42) / 2;
  document.addText(
    document.addElement(document.root, 'P'),
    'P',
    'Demonstration: no money has moved.',
    { ...styles.strong, colour: colours.accent },
    { x: document.left + 16, width: document.width - 32 },
  );
  document.y = end + 20;
}

function addNotes(document: TaggedDocument, receipt: ReceiptContent): void {
  const { firm } = receipt;
  const notes = [
    vatNotice(receipt),
    ...refundNotes(receipt),
    disputeNotes[receipt.dispute],
    ...failedRefundNotes(receipt),
    clientMoneyNote(receipt),
    receipt.awaitsPayerCheck ? anotherCardNotice : null,
    `Questions? Call ${firm.name} on ${formatPhone(firm.phone)}. Check that this is the number you already have for us.`,
  ];
  document.y += 24;
  for (const note of notes) {
    if (note === null) continue;
    document.addText(document.addElement(document.root, 'P'), 'P', note, styles.soft, { width: 420 });
    document.y += 5;
  }
}

const isFullyRefunded = ({ refundedAmount, amount }: ReceiptContent) => refundedAmount >= amount;

const originOf = ({ method }: ReceiptContent) =>
  method === 'bank' ? 'account it was paid from' : 'original card';

/** States the refunded amount, and the amount of pending refunds. */
function refundNotes(receipt: ReceiptContent): string[] {
  const { amount, refundedAmount, refunds } = receipt;
  const origin = originOf(receipt);
  const pending = refunds.filter(isRefundPending).reduce((sum, refund) => sum + refund.amount, 0);
  const made = refundedAmount - pending;
  const madeNote =
    made === amount
      ? `This payment of ${formatMoney(made)} has been fully refunded to the ${origin}.`
      : `${formatMoney(made)} of this payment has been refunded to the ${origin}.`;
  const pendingNote = `A refund of ${formatMoney(pending)} to the ${origin} is on its way.`;
  return [...(made > 0 ? [madeNote] : []), ...(pending > 0 ? [pendingNote] : [])];
}

const disputeNotes = {
  none: null,
  inquiry: 'The card’s bank has asked us about this payment. It has not taken any money back.',
  open: 'The card’s bank has disputed this payment.',
  lost: 'The card’s bank has reversed this payment.',
} as const;

/** States for each failed refund that was not repeated that the firm owes the money. */
const failedRefundNotes = (receipt: ReceiptContent): string[] =>
  owedRefunds({ ...receipt, refunded_amount: receipt.refundedAmount }).map(
    (refund) =>
      `The refund of ${formatMoney(refund.amount)} made on ${formatDay(londonDay(new Date(refund.created_at)))} did not reach the ${originOf(receipt)}. We owe you this money.`,
  );

/**
 * Says what happens to client money, unless it is refunded or disputed. Whether it has reached the client account is known only
 * from the bank’s statement, so no text says that it has.
 */
function clientMoneyNote(receipt: ReceiptContent): string | null {
  const { lines, dispute } = receipt;
  if (dispute === 'open' || dispute === 'lost' || isFullyRefunded(receipt)) return null;
  if (!lines.some((line) => line.client_money)) return null;
  return 'Client money is yours until we use it for your case. When it has cleared, it is paid into our client account with the next payout, separate from our own money.';
}
