import type { Firm, PaymentLine } from '@keyturn/contract';

/** What a firm submits to a card's bank to answer a dispute. Every text is final; times are in London time. */
export interface EvidencePack {
  firm: Firm;
  title: string;
  /** What the pack is about, as one sentence. */
  introduction: string;
  preparedAt: Date;
  /** What was paid for; money in pence. */
  bill: { lines: PaymentLine[]; amount: number; refundedAmount: number };
  sections: EvidenceSection[];
  /** No money moved. */
  sandbox: boolean;
}

export interface EvidenceSection {
  heading: string;
  /** Names and values. */
  facts: [string, string][];
  /** Sentences below the facts, also about what is not known. */
  notes: string[];
  /** Whether the bill follows. */
  hasBill?: boolean;
}

/** Prints evidence packs as PDF. */
export interface EvidencePrinter {
  printEvidence(pack: EvidencePack): Promise<Buffer>;
}
