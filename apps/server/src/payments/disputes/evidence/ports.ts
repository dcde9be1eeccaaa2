import type { Firm, PaymentLine } from '@keyturn/contract';

/**
 * The evidence that a firm submits to a card's bank to answer a dispute. Every text is final; times are in London
 * time.
 */
export interface EvidencePack {
  firm: Firm;
  title: string;
  /** The subject of the pack, as one sentence. */
  introduction: string;
  preparedAt: Date;
  /** The paid items; money in pence. */
  bill: { lines: PaymentLine[]; amount: number; refundedAmount: number };
  sections: EvidenceSection[];
  /** No money moved. */
  sandbox: boolean;
}

export interface EvidenceSection {
  heading: string;
  /** Names and values. */
  facts: [string, string][];
  /** Sentences below the facts, including those about unknown facts. */
  notes: string[];
  /** Whether the bill follows. */
  hasBill?: boolean;
}

/** Prints evidence packs as PDF. */
export interface EvidencePrinter {
  printEvidence(pack: EvidencePack): Promise<Buffer>;
}
