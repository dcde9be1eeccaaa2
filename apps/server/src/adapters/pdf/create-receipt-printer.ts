import { formatMoney } from '@keyturn/format/money';
import type { ReceiptContent, ReceiptPrinter } from '../../features/payments/ports.ts';
import { createFontShelf } from './font-shelf.ts';
import { formatMoment } from './format-for-print.ts';
import { colors, openSheet, type Sheet, styles } from './open-sheet.ts';
import { setFacts } from './set-facts.ts';
import { setPaymentLines } from './set-payment-lines.ts';

/** Prints receipts with pdfkit. Fonts are read when a text first needs them and kept. */
export function createReceiptPrinter(): ReceiptPrinter {
  const shelf = createFontShelf();
  return {
    print: async (receipt) => {
      const title = `Receipt ${receipt.receiptNumber}`;
      const sheet = openSheet(shelf, {
        title,
        firm: receipt.firm,
        createdAt: receipt.paidAt,
        runningTitle: title,
        pageName: 'Page',
      });
      sheet.paragraph(sheet.part(sheet.root, 'H1'), 'H1', title, styles.title, { leading: 1.2 });
      sheet.y += 4;
      sheet.paragraph(sheet.part(sheet.root, 'P'), 'P', paidLine(receipt), styles.soft);
      sheet.y += 18;
      if (receipt.sandbox) setSandboxNotice(sheet);
      setFacts(sheet, factsOf(receipt));
      sheet.y += 20;
      setPaymentLines(sheet, receipt);
      setNotes(sheet, receipt);
      return sheet.close();
    },
  };
}

const paidLine = ({ paidAt }: ReceiptContent) => `Paid on ${formatMoment(paidAt)}`;

function factsOf(receipt: ReceiptContent): [string, string][] {
  const facts: [string, string | null][] = [
    ['Paid by', receipt.payerName],
    ['Card', receipt.card && `${brandName(receipt.card.brand)} ending ${receipt.card.last4}`],
    ['Paid to', receipt.firm.name],
    ['For', receipt.description],
    ['Property', receipt.property],
    ['Case', receipt.caseReference],
    [receipt.clientNames.length > 1 ? 'Clients' : 'Client', receipt.clientNames.join('\n')],
    ['Your reference', receipt.reference],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]?.trim()));
}

const brandNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

const brandName = (brand: string) => brandNames[brand.toLowerCase()] ?? 'Card';

function setSandboxNotice(sheet: Sheet): void {
  const { pdf } = sheet;
  const height = 32;
  sheet.decorate(() => {
    pdf.rect(sheet.left, sheet.y, sheet.width, height).fill(colors.accentWash);
    pdf.rect(sheet.left, sheet.y, 3, height).fill(colors.accent);
  });
  const end = sheet.y + height;
  sheet.y += (height - styles.strong.size * 1.42) / 2;
  sheet.paragraph(
    sheet.part(sheet.root, 'P'),
    'P',
    'Demonstration: no money has moved.',
    { ...styles.strong, color: colors.accent },
    { x: sheet.left + 16, width: sheet.width - 32 },
  );
  sheet.y = end + 20;
}

function setNotes(sheet: Sheet, { refundedAmount, amount, lines, firm }: ReceiptContent): void {
  const notes: string[] = [];
  if (refundedAmount > 0) {
    notes.push(
      refundedAmount >= amount
        ? `All of this payment, ${formatMoney(refundedAmount)}, has been paid back to the card it came from.`
        : `${formatMoney(refundedAmount)} of this payment has been paid back to the card it came from.`,
    );
  }
  if (lines.some((line) => line.client_money)) {
    notes.push(
      'Client money is yours until we use it for your case. It is held in our client account, apart from our own money.',
    );
  }
  notes.push(`Questions? Call ${firm.name} on ${firm.phone}, the number you already know.`);
  sheet.y += 24;
  for (const note of notes) {
    sheet.paragraph(sheet.part(sheet.root, 'P'), 'P', note, styles.soft, { width: 420 });
    sheet.y += 5;
  }
}
