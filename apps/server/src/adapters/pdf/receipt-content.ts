import type { Firm, PaymentLine } from '@keyturn/contract';

/** What stands on a receipt. Amounts in pence. */
export interface ReceiptContent {
  firm: Firm;
  /** `R-2026-000123` */
  receiptNumber: string;
  paidAt: Date;
  payerName: string;
  clientNames: string[];
  caseReference: string;
  /** On one line; null for a payment that is about no matter. */
  property: string | null;
  description: string;
  lines: PaymentLine[];
  amount: number;
  refundedAmount: number;
  card: { brand: string; last4: string } | null;
  /** The payer's own. */
  reference: string | null;
  /** Paid at the sandbox: no money has moved. */
  sandbox: boolean;
}

export interface ReceiptPrinter {
  /** An A4 PDF, tagged for screen readers. The same content gives the same bytes. */
  print(receipt: ReceiptContent): Promise<Buffer>;
}
