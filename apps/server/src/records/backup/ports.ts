import type { Readable } from 'node:stream';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { StartFault } from '../../platform/start-fault.ts';

/** A backup or restore that cannot be made. The message is one line that says what the operator can do. */
export class BackupFault extends StartFault {
  override name = 'BackupFault';
}

/** A document whose file in the backup is missing or damaged. */
export class DamagedDocument extends BackupFault {
  override name = 'DamagedDocument';
}

/** A table of a backup. */
export interface BackedUpTable {
  /** With its schema, such as `public.payments`. */
  name: string;
  /** Without generated columns. */
  columns: string[];
}

export interface SequencePosition {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/** The version of the tables. */
export interface SchemaVersion {
  /** The number of the newest migration. */
  migration: number;
  /** SHA-256 of the checksums of all migrations up to it, in hex. */
  checksum: string;
}

/** The rows of a table as text, in the format of PostgreSQL's `COPY`. */
export type TableContent = Readable & {
  /** The number of rows, once the stream has ended. */
  rowCount: number;
};

/** A case or client that was erased. */
export interface ErasedSubject {
  kind: 'case' | 'client';
  id: string;
}

/** What must follow once a database contains an earlier state. */
export interface AfterRestore {
  clock: Clock;
  /** Erases again what was erased after that state. @returns what it had brought back */
  eraseAgain(database: Database, subjects: readonly ErasedSubject[]): Promise<ErasedSubject[]>;
  /** Tells clients and staff that their recovery codes no longer work. */
  notifyOfDisabledCodes(
    connection: Connection,
    owners: { clients: readonly string[]; staff: readonly string[] },
    at: Date,
  ): Promise<void>;
}

export interface AfterRestoreWithFiles extends AfterRestore {
  /** Removes the files of all erasures from the document store. @throws the errors of the store */
  removeErasedFiles(database: Database): Promise<unknown>;
}

/** The database as it was at one moment, whatever changes meanwhile. */
export interface DatabaseSnapshot {
  takenAt: Date;
  installation: { id: string; secret: string };
  schema: SchemaVersion;
  tables: BackedUpTable[];
  read(table: BackedUpTable): TableContent;
  /** Streams the SHA-256 and the size of each stored file, in lines such as `9f86…<tab>1024`. */
  readStoredFiles(): Bytes;
  readSequences(): Promise<SequencePosition[]>;
  readErasures(): Promise<ErasedSubject[]>;
  close(): Promise<void>;
}

/** A transaction that fills an empty database. Triggers do not run and foreign keys are not checked meanwhile. */
export interface DatabaseLoad {
  tables: BackedUpTable[];
  connection: Connection;
  /** @returns the number of rows */
  fill(table: BackedUpTable, content: Bytes): Promise<number>;
  read(table: BackedUpTable): TableContent;
  setSequences(positions: readonly SequencePosition[]): Promise<void>;
}

/** The versions of the tables that this build knows. */
export interface KnownSchema {
  newestMigration: number;
  /** Computes the checksum of the migrations up to a number. */
  checksumUpTo(migration: number): string;
}

/** The database that a backup is restored into. */
export interface RestoreTarget {
  /** @throws BackupFault if the database contains anything or a server uses it */
  checkEmpty(migration: number): Promise<void>;
  /**
   * Creates the tables of a version and fills them in one transaction.
   * @param work.fill runs while triggers are disabled
   * @param work.finish runs at the end of the transaction, with triggers and foreign keys
   * @throws BackupFault as `checkEmpty`
   */
  load(
    migration: number,
    work: {
      fill(load: DatabaseLoad): Promise<void>;
      finish(connection: Connection): Promise<void>;
    },
  ): Promise<void>;
  /** Brings the tables to the version of this build, and grants the server its privileges. */
  upgrade(): Promise<void>;
  /** Runs work on the upgraded database. */
  finish<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** The bytes of a file, in chunks. */
export type Bytes = AsyncIterable<Uint8Array>;
/** A step through which the bytes of a file pass. */
export type Step = (source: Bytes) => Bytes;

/** Encrypts and decrypts the files of a backup. */
export interface BackupEncryption {
  /** The public keys that everything is encrypted for. */
  recipients: readonly string[];
  encrypt: Step;
}
export interface BackupDecryption {
  /** @throws BackupFault if no key fits, or the content was altered */
  decrypt: Step;
}

/** The folder that contains all backups of an installation, and their documents once. */
export interface BackupFolder {
  /** @throws BackupFault if a backup of this name exists */
  start(name: string): Promise<BackupDraft>;
  /** @returns the size of a stored document in bytes; null if it is not stored */
  sizeOfDocument(name: string): Promise<number | null>;
  /** Stores a document durably, and only completely. */
  putDocument(name: string, content: Bytes): Promise<void>;
  openDocument(name: string): Bytes;
  /** @throws BackupFault if the backup does not exist or is incomplete */
  readManifest(backup: string): Promise<Buffer>;
  /** Lists the names of the backups, whether complete or not. */
  list(): Promise<string[]>;
  openFile(backup: string, file: string): Bytes;
}

/** A backup that is being written. Until it is finished, its folder is named `….incomplete` and has no manifest. */
export interface BackupDraft {
  write(file: string, content: Bytes): Promise<void>;
  /** Writes the manifest as the last file. @returns the folder of the complete backup */
  finish(manifest: string): Promise<string>;
  /** Deletes what was written, because the backup failed. */
  discard(): Promise<void>;
}
