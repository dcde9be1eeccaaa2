import type { CaseStatus, Firm, Price } from '@keyturn/contract';
import type { Connection, Transaction } from '../../platform/database.ts';

/**
 * The functions of property searches that payments uses. A search is always locked before its payment, to avoid
 * deadlocks.
 */
export interface PayableSearches {
  /**
   * Finds a search on a case of this client and locks it until the end of the transaction.
   * @param query.locks names of advisory locks that are then acquired too, in this order
   * @returns null if this client has no such search
   */
  lock(
    transaction: Transaction,
    query: { clientId: string; caseSearchId: string; locks?: string[] },
  ): Promise<PayableSearch | null>;
  /** Locks a search until the end of the transaction, for any client. */
  lockById(transaction: Transaction, caseSearchId: string): Promise<void>;
  /**
   * Marks a search as paid, and the task to pay it as done.
   * @returns false if the search did not await payment, because it was cancelled or paid by another method
   */
  markPaid(transaction: Transaction, caseSearchId: string, paidAt: Date): Promise<boolean>;
}

export interface PayableSearch {
  id: string;
  caseId: string;
  matterId: string;
  name: string;
  price: Price;
  /** Whether it awaits payment on an active case. */
  awaitsPayment: boolean;
  /** The full name of the client. */
  clientName: string;
  /** What the payer's statement names; null before a firm was imported. */
  statement: StatementNames | null;
}

/** The functions of the case history that payments uses. */
export interface PaymentHistory {
  record(
    transaction: Transaction,
    /** `clientId` is null for actions of the firm or the payer's bank. */
    entry: { caseId: string; occurredAt: Date; clientId: string | null; summary: string },
  ): Promise<void>;
}

/** The functions of cases that payments uses. */
export interface PayableCases {
  /** Finds the client's active case; null for a client without cases. */
  findActive(connection: Connection, clientId: string): Promise<PayableCase | null>;
  /** Finds a case of this client; null if they are not on it. */
  findOfClient(
    connection: Connection,
    query: { clientId: string; caseId: string },
  ): Promise<PayableCase | null>;
  /** The first name of a client, including of one who is no longer on any case; "A client" for an unknown id. */
  findFirstName(connection: Connection, clientId: string): Promise<string>;
  /** The full name of a client, including of one who is no longer on any case; "A client" for an unknown id. */
  findName(connection: Connection, clientId: string): Promise<string>;
  /**
   * Reads the facts that are recorded with a successful payment: the payer’s name, the state of the case, and the
   * firm.
   */
  readAtPayment(connection: Connection, query: { caseId: string; clientId: string }): Promise<CaseAtPayment>;
  /** Finds the facts for a payer's statement; null before a firm was imported. */
  findStatementNames(connection: Connection, caseId: string): Promise<StatementNames | null>;
  /** Reads the facts for a receipt about a case and one of its matters; null before a firm was imported. */
  describe(
    connection: Connection,
    query: { caseId: string; matterId: string | null; payerId: string },
  ): Promise<DescribedCase | null>;
}

/** A case at the moment of a payment. */
export interface CaseAtPayment {
  /** Null if the client is no longer on the case. */
  status: CaseStatus | null;
  /** "A client" for an unknown client. */
  payerFirstName: string;
  /** Null before a firm was imported. */
  firm: Firm | null;
}

/** The facts for a payer's statement. */
export interface StatementNames {
  firmName: string;
  caseReference: string;
}

export interface PayableCase {
  id: string;
  status: CaseStatus;
  /** In the case's order. */
  matterIds: string[];
}

export interface DescribedCase {
  firm: Firm;
  caseReference: string;
  /** Every client on the case. */
  clientNames: string[];
  /** The name of `payerId`. */
  payerName: string;
  /** The matter's address on one line; null if the payment does not belong to a single matter. */
  property: string | null;
  /** Days on which banks are closed, besides weekends. */
  bankHolidays: readonly string[];
}
