import type { StepUpMethod } from '@keyturn/contract';
import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKind } from '../../../platform/credentials/account-kind.ts';
import type { SecretBox } from '../../../platform/credentials/secret-box.ts';
import type { Connection, Database, Transaction } from '../../../platform/database.ts';
import type { FactorRow, FactorTables } from '../../../schema/tables/factor-tables.ts';
import type { SessionTable } from '../account-sessions.ts';
import type { LoginThrottle } from '../login-throttle.ts';
import type { Passwords } from '../passwords.ts';

/** The signed-in owner of an account, who makes a call about their own second factors. */
export interface FactorOwner {
  id: string;
  email: string;
  name: string | null;
  /** SHA-256 of the token of their session. */
  sessionHash: Buffer;
  /** IP address. */
  address: string;
}

/** What the owner is emailed about, so that they notice changes by another person. */
export type FactorNotice =
  | { kind: 'factor_added' | 'factor_removed'; factor: FactorRow['kind'] }
  | { kind: 'recovery_codes_replaced' | 'recovery_code_used' };

/** What differs between the second factors of staff and of clients. */
export interface FactorRules {
  accountKind: AccountKind;
  tables: FactorTables;
  sessions: SessionTable;
  /**
   * Locks the owner’s account and session until the transaction ends. A reset then either removes everything that the
   * call has stored, or stops the call. Without the lock, a thief's password or passkey could survive the reset.
   * @throws DomainError `unauthenticated` if the session has ended or the account is not active any more
   */
  lockOwner(transaction: Transaction, owner: FactorOwner, now: Date): Promise<void>;
  /** @returns the hash of the owner’s password; null without one */
  readPasswordHash(connection: Connection, ownerId: string): Promise<string | null>;
  /** Called with the owner locked. @throws DomainError if the account needs a second factor */
  assertCanRemoveLast(transaction: Transaction, owner: FactorOwner): Promise<void>;
  /** Queues an email to the owner. */
  notify(transaction: Transaction, ownerId: string, notice: FactorNotice, now: Date): Promise<void>;
  /** Called when a recovery code was used, in a sign-in or to confirm an identity. */
  onRecoveryCodeUsed(
    transaction: Transaction,
    owner: Omit<FactorOwner, 'sessionHash'>,
    now: Date,
  ): Promise<void>;
  /** Stores in the session that its owner has proved who they are. */
  recordConfirmation(
    transaction: Transaction,
    owner: FactorOwner,
    method: StepUpMethod,
    now: Date,
  ): Promise<void>;
  /** Called when the session that makes a call was ended, because it may be stolen. */
  onSessionStolen(transaction: Transaction, owner: FactorOwner): Promise<void>;
}

/** The dependencies of the use cases of second factors. */
export interface FactorDependencies {
  database: Database;
  clock: Clock;
  /** The clock of this server, which codes of authenticator apps follow even if the database's is ahead. */
  codeClock: Clock;
  passwords: Passwords;
  throttle: LoginThrottle;
  secrets: SecretBox;
  alertOperator: AlertOperator;
  /** The name that authenticator apps and passkeys show. */
  productName: string;
  factorRules: FactorRules;
}
