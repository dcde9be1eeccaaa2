import type { Bill, documentMediaTypes, FeedList, FeedRecord } from '@keyturn/contract';
import type { DeskMilestone, WithdrawalReason } from '@keyturn/contract/staff';
import type { SQL } from 'drizzle-orm';
import type { AuditActor, AuditedBy } from '../../platform/audit/audit-entry.ts';
import type { Transaction } from '../../platform/database.ts';
import type { StoredContent } from '../../platform/stored-file.ts';

/** The clients’ reads of the parts of a case. Staff see the same, with additions. */
export interface ClientViews {
  milestone: {
    /**
     * A milestone as JSON, of the rows `milestone` and `matter`. `$computed` has the facts from which its other
     * fields are derived.
     */
    json: SQL;
    /** @param facts the parsed `$computed` @param viewerId the client who reads it */
    computeFields(facts: never, viewerId: string): object;
    /** What this client reads without the firm’s own words. @param facts the parsed `$computed` */
    computeDerivedWaiting(facts: never, viewerId: string): DeskMilestone['derived_waiting'];
  };
  search: {
    /** A search as JSON, of the rows that `joins` adds. */
    json: SQL;
    /** Joins the searches of the row `conveyancing_case`, each with its payment and payer. */
    joins: SQL;
  };
  bills: {
    /** The bills of a case as JSON, without cancelled ones. */
    select(caseId: SQL): SQL;
    /** @param today in London */
    toBills(stored: never, today: string): Bill[];
  };
}

/** The member who edits, with a check that they still may. */
export interface EditRequest {
  actor: AuditActor;
  /** IP address. */
  address: string;
  /** Called in the transaction of the edit. @returns whether the caller may still edit */
  mayEdit(transaction: Transaction): Promise<boolean>;
}

/** Reads and sends records of the case feed in the transaction of an edit. */
export interface RecordEditor {
  transaction: Transaction;
  /** @returns the stored record; null for an unknown reference */
  read<List extends FeedList>(list: List, reference: string): Promise<FeedRecord<List> | null>;
  /** Stores and audits a record, with the rules of the case feed. @throws DomainError `invalid_input`, `unavailable` */
  send<List extends FeedList>(list: List, record: FeedRecord<List>): Promise<void>;
  /** Stores matters with the current path of their type instead of the one that they have. */
  sendWithCurrentPath(matters: readonly FeedRecord<'matters'>[]): Promise<void>;
}

/** The case feed, as staff edit it. */
export interface CaseFeedEditing {
  /** Runs work in one transaction, during which no import writes. It may run several times; one run is committed. */
  editRecords<Result>(request: EditRequest, work: (editor: RecordEditor) => Promise<Result>): Promise<Result>;
  /** Stores a file for a document that is then added. @throws DomainError `invalid_input`, `edit_not_possible` */
  uploadFile(request: EditRequest, content: Buffer): Promise<UploadedFile>;
  /** @returns why the document’s file, or the one uploaded for it, cannot be signed in Keyturn; null if it can */
  findSigningFault(reference: string): Promise<string | null>;
}

/** The files of documents. */
export interface DocumentContents {
  /**
   * Opens the file of a document; of a signed one the copy with its signature page, unless the original is requested.
   * @throws DomainError `not_found`, `document_damaged`, `unavailable`
   */
  open(request: { documentId: string; version: 'original' | undefined }): Promise<OpenedDocument>;
  /**
   * Withdraws a document from the clients.
   * @returns the case of the document
   * @throws DomainError `not_found`, `edit_not_possible`
   */
  withdraw(
    transaction: Transaction,
    request: { documentId: string; reason: WithdrawalReason; by: AuditedBy },
  ): Promise<{ caseId: string }>;
}

export interface OpenedDocument {
  /** The firm’s own key of the document. */
  reference: string;
  content: StoredContent;
  mediaType: string;
  fileName: string;
}

export interface UploadedFile {
  id: string;
  mediaType: (typeof documentMediaTypes)[number];
  /** Bytes. */
  size: number;
}

/** The operations with which staff manage the sign-in of clients. */
export interface ClientAccess {
  /** Queues an email with a link to choose a password. */
  sendPasswordLink(
    transaction: Transaction,
    email: string,
    purpose: 'invitation' | 'new_password',
  ): Promise<void>;
  /**
   * Removes everything that a client signs in with, and emails them a link to start again.
   * @param options.restoresAddress whether to undo the client’s own change of the email address first
   * @returns the address to which the link goes; null if nothing was reset, because that address cannot be used
   */
  resetSignIn(
    transaction: Transaction,
    client: {
      id: string;
      email: string;
      /** The address of the firm’s system, which the client has replaced; null if they have not. */
      replacedFeedEmail: string | null;
      unrestoredEmail: string | null;
    },
    options: { restoresAddress: boolean },
  ): Promise<string | null>;
  /** Ends every session of a client. */
  endSessions(transaction: Transaction, clientId: string): Promise<void>;
  /** Ends every session and link of a client, and lets none start. */
  disable(transaction: Transaction, clientId: string): Promise<void>;
  enable(transaction: Transaction, clientId: string): Promise<void>;
}
