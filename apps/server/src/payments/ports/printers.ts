import type { Firm, Payment, PaymentLine, PaymentMethod } from '@keyturn/contract';

/**
 * A document that lists what the firm has on record, such as the evidence with which it answers a dispute. Every text
 * is final; times are in London time.
 */
export interface FactSheet {
  firm: Firm;
  /** What the firm must state in its letters. */
  statutoryLine: string;
  title: string;
  /** The subject, as one sentence. */
  introduction: string;
  preparedAt: Date;
  sections: FactSheetSection[];
  /** No money moved. */
  sandbox: boolean;
}

export interface FactSheetSection {
  heading: string;
  /** Names and values. */
  facts: [string, string][];
  /** Sentences below the facts, including those about unknown facts. */
  notes: string[];
  /** The paid items, which follow the notes; money in pence. */
  bill?: { lines: PaymentLine[]; amount: number; refundedAmount: number };
}

/** Prints fact sheets as PDF. */
export interface FactSheetPrinter {
  printFactSheet(sheet: FactSheet): Promise<Buffer>;
}

/** Prints receipts as PDF. */
export interface ReceiptPrinter {
  print(receipt: ReceiptContent): Promise<Buffer>;
}

/** Everything that a receipt shows; money in pence. */
export interface ReceiptContent {
  /** The firm with the name, address and VAT number that it had when the payment was made. */
  firm: Firm;
  /** What the firm must state in its letters, as of the day when the receipt is made. */
  statutoryLine: string;
  receiptNumber: string;
  paidAt: Date;
  /** When the money cleared or is expected to; null if the firm keeps none of it. */
  clearing: Payment['clearing'];
  /** Whether the firm has yet to check another person whose card paid. */
  awaitsPayerCheck: boolean;
  method: PaymentMethod;
  payerName: string;
  clientNames: string[];
  caseReference: string;
  property: string | null;
  description: string;
  /** The bill that was paid, and the pence of it that were left; null if that was not recorded. */
  bill: { number: string; left: number | null } | null;
  /** Whether it pays for a search; of such a payment, a part may repay the firm. */
  kind: Payment['kind'];
  lines: PaymentLine[];
  amount: number;
  /** Refunded so far. */
  refundedAmount: number;
  /** Whether the card’s bank asks about the payment, disputes it, or has taken money back. */
  dispute: 'none' | 'inquiry' | 'open' | 'lost';
  /** Each refund, including those that failed, oldest first. */
  refunds: Payment['refunds'];
  card: Payment['card'];
  /** The text on the payer's statement; null if the provider does not return it. */
  statementDescriptor: string | null;
  /** The client's own words for the payment. */
  reference: string | null;
  /** No money moved. */
  sandbox: boolean;
}
