import { readFileSync, writeFileSync } from 'node:fs';
import type { PaymentStatus } from '@keyturn/contract';

/**
 * What happened in a run, in the order in which it happened: one line of JSON each. An operation is written down when
 * it is asked for and when it has ended: `ok` or `fail` for certain, `info` where nobody can tell.
 */
export type HistoryEntry = RunEntry | InvokeEntry | OutcomeEntry | NemesisEntry | ForgeryEntry | FactsEntry;

export interface RunEntry {
  type: 'run';
  seed: number;
  operations: number;
  clients: number;
}

export interface InvokeEntry {
  type: 'invoke';
  operation: number;
  client: number;
  kind: OperationKind;
  /** What it was asked with: the search, the payment, the card. */
  asked: Record<string, unknown>;
}

export interface OutcomeEntry {
  type: 'ok' | 'fail' | 'info';
  operation: number;
  /** Of an answer that was no success: `already_paid`, `card_declined`, `no answer`. */
  code?: string;
  /** The payment that it was about, as far as it is known. */
  payment?: string;
  /** What it read of payments, by id. */
  payments?: Record<string, PaymentStatus>;
  /** What it read of searches, by id. */
  searches?: Record<string, string>;
}

export interface NemesisEntry {
  type: 'nemesis';
  did: string;
}

/** A webhook that was none of the provider's, and what the product answered; 0 where it did not. */
export interface ForgeryEntry {
  type: 'forgery';
  status: number;
}

/** How everything stands once all is healed. */
export interface FactsEntry {
  type: 'facts';
  /** The product's clock, ISO. */
  now: string;
  payments: PaymentFact[];
  /** The record, in its order. */
  changes: ChangeFact[];
  events: { id: string; intent: string | null; outcome: string | null }[];
  searches: { id: string; caseId: string; status: string; price: number }[];
  cases: { id: string; historyEntries: number }[];
  receiptCounters: Record<string, number>;
  intents: IntentFact[];
  /** Each time that the provider took money, and the operation whose card it was. */
  charges: { intent: string; amount: number; operation: number }[];
  screens: ScreenFact[];
}

export interface PaymentFact {
  id: string;
  caseId: string;
  searchId: string | null;
  status: PaymentStatus;
  amount: number;
  refundedAmount: number;
  intent: string | null;
  paidAt: string | null;
  receiptNumber: string | null;
}

export interface ChangeFact {
  payment: string;
  from: PaymentStatus | null;
  to: PaymentStatus;
  cause: string;
  event: string | null;
  money: number;
}

/** An intent at the provider. */
export interface IntentFact {
  id: string;
  payment: string | null;
  status: string;
  amount: number;
  refundedAmount: number;
  created: string;
}

/** What one client sees of one case. */
export interface ScreenFact {
  client: number;
  caseId: string;
  amountPaid: number;
  payments: Record<string, { status: PaymentStatus; refundedAmount: number }>;
  searches: Record<string, { status: string; payment: string | null; payable: boolean }>;
}

export type OperationKind =
  | 'start search payment'
  | 'start other payment'
  | 'retry'
  | 'pay'
  | 'answer the bank'
  | 'cancel'
  | 'list payments'
  | 'look at a payment'
  | 'list searches'
  | 'change case'
  | 'sign in'
  | 'sign out';

export const readHistory = (file: string): HistoryEntry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryEntry);

export const writeHistory = (file: string, history: readonly HistoryEntry[]): void =>
  writeFileSync(file, history.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
