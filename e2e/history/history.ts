import { readFileSync, writeFileSync } from 'node:fs';
import type { PaymentMethod, PaymentStatus } from '@keyturn/contract';

/**
 * The events of a run in order, one JSON line each. An operation is logged when it starts and when it ends: `ok` or
 * `fail` when the outcome is certain, `info` when it is unknown.
 */
export type HistoryEntry =
  | RunEntry
  | InvokeEntry
  | OutcomeEntry
  | NemesisEntry
  | RestoreEntry
  | RecoveryEntry
  | ForgeryEntry
  | FactsEntry;

export interface RunEntry {
  type: 'run';
  seed: number;
  operations: number;
  clients: number;
}

export interface InvokeEntry {
  type: 'invoke';
  operation: number;
  /** Null for the firm and for banks. */
  client: number | null;
  kind: OperationKind;
  /** Its arguments: the search, the payment, the card. */
  asked: Record<string, unknown>;
}

export interface OutcomeEntry {
  type: 'ok' | 'fail' | 'info';
  operation: number;
  /** The reason of a failure: `already_paid`, `card_declined`, `no answer`. */
  code?: string;
  /** The payment it concerned, if known. */
  payment?: string;
  /** The id, in the product or at the provider, of the refund that the operation made or tried to make. */
  refund?: string;
  /** The payments that the operation read, by id. */
  payments?: Record<string, PaymentStatus>;
  /** The searches that the operation read, by id. */
  searches?: Record<string, string>;
}

export interface NemesisEntry {
  type: 'nemesis';
  did: string;
}

/** The database was restored from an earlier copy. Until the next successful recovery, it lacks payments. */
export interface RestoreEntry {
  type: 'restore';
}

/** A run of `keyturn payments recover`. */
export interface RecoveryEntry {
  type: 'recovery';
  /** Null if the command was never answered. */
  exitCode: number | null;
  lines: string[];
}

/** A forged webhook and the status of the product's answer; 0 for none. */
export interface ForgeryEntry {
  type: 'forgery';
  status: number;
}

/** The final state after all failures have been repaired. */
export interface FactsEntry {
  type: 'facts';
  /** The product's clock, ISO. */
  now: string;
  payments: PaymentFact[];
  /** Recorded changes, in order. */
  changes: ChangeFact[];
  events: { id: string; intent: string | null; outcome: string | null }[];
  searches: { id: string; caseId: string; status: string; price: number }[];
  cases: { id: string; historyEntries: number }[];
  receiptCounters: Record<string, number>;
  intents: IntentFact[];
  /** Each charge at the provider, with the operation that sent the card. */
  charges: { intent: string; amount: number; operation: number }[];
  screens: ScreenFact[];
  record: MoneyFacts;
  provider: MoneyFacts;
  /** The last output of `keyturn payments ledger` and `keyturn payments check`. */
  commands: { name: string; exitCode: number | null; lines: string[] }[];
}

/** Refunds, disputes, warnings, reviews and movements, as recorded in the product or at the provider. */
export interface MoneyFacts {
  refunds: RefundFact[];
  disputes: DisputeFact[];
  warnings: { id: string; intent: string }[];
  reviews: { id: string; intent: string; isOpen: boolean }[];
  movements: MovementFact[];
}

/** A refund at the provider, with the provider's id. */
export interface RefundFact {
  id: string;
  /** The request in the product that caused the refund; null for a refund made at the provider. */
  request: string | null;
  intent: string;
  amount: number;
  status: string;
}

export interface DisputeFact {
  id: string;
  intent: string;
  amount: number;
  status: string;
  outcome: string | null;
  isInquiry: boolean;
  /** The amount that the bank has withdrawn, less the amount that it has returned. */
  taken: number;
}

/** A balance transaction. */
export interface MovementFact {
  id: string;
  kind: string;
  amount: number;
  fee: number;
  intent: string | null;
}

export interface PaymentFact {
  id: string;
  caseId: string;
  searchId: string | null;
  status: PaymentStatus;
  method: PaymentMethod;
  amount: number;
  refundedAmount: number;
  intent: string | null;
  paidAt: string | null;
  /** The number of the client that the payment names as its payer. */
  payer: number | null;
  receiptNumber: string | null;
  /** The text about the dispute that clients read. */
  dispute: string | null;
}

export interface ChangeFact {
  payment: string;
  from: PaymentStatus | null;
  to: PaymentStatus;
  cause: string;
  event: string | null;
  money: number;
  /** The refund that has changed, or null if the change is about the payment itself. */
  refund: string | null;
}

/** An intent at the provider. */
export interface IntentFact {
  id: string;
  payment: string | null;
  status: string;
  method: PaymentMethod;
  amount: number;
  refundedAmount: number;
  created: string;
}

/** What one client sees of one case. */
export interface ScreenFact {
  client: number;
  caseId: string;
  amountPaid: number;
  payments: Record<string, { status: PaymentStatus; refundedAmount: number; dispute: string | null }>;
  searches: Record<string, { status: string; payment: string | null; payable: boolean }>;
}

/** The operations of clients, the firm's staff and banks. */
export type OperationKind =
  | 'start search payment'
  | 'start search payment by bank'
  | 'start other payment'
  | 'start other payment by bank'
  | 'retry'
  | 'pay'
  | 'answer the bank'
  | 'open the bank page'
  | 'approve at the bank'
  | 'refuse at the bank'
  | 'cancel'
  | 'list payments'
  | 'read a payment'
  | 'list searches'
  | 'change case'
  | 'sign in'
  | 'sign out'
  | 'refund'
  | 'decide on a refund'
  | 'refund at the provider'
  | 'change a price'
  | 'open a review'
  | 'close a review'
  | 'settle a refund'
  | 'return a refund'
  | 'open a dispute'
  | 'move a dispute'
  | 'warn of fraud';

export const readHistory = (file: string): HistoryEntry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryEntry);

export const writeHistory = (file: string, history: readonly HistoryEntry[]): void =>
  writeFileSync(file, history.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
