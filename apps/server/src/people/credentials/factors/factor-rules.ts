import type { StepUpMethod } from '@keyturn/contract';
import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKind } from '../../../platform/credentials/account-kind.ts';
import type { SecretBox } from '../../../platform/credentials/secret-box.ts';
import type { Connection, Database, Transaction } from '../../../platform/database.ts';
import type { FactorRow, FactorTables } from '../../../schema/tables/factor-tables.ts';
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

/** A change that the owner is emailed about where it matters, and that is audited. */
export type FactorChange =
  | { kind: 'factor_added' | 'factor_renamed' | 'factor_removed'; factor: Pick<FactorRow, 'id' | 'kind'> }
  | { kind: 'recovery_codes_replaced' | 'recovery_code_used' }
  | { kind: 'identity_confirmed'; method: StepUpMethod }
  /** @param failures wrong proofs of the owner in the last 24 hours */
  | { kind: 'proof_rejected'; failures: number; endsSession: boolean };

/** What differs between the second factors of staff and of clients. */
export interface FactorRules {
  accountKind: AccountKind;
  tables: FactorTables;
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
  /** Audits a change, emails the owner, and does what else follows from it. */
  onChange(transaction: Transaction, owner: FactorOwner, change: FactorChange, now: Date): Promise<void>;
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
