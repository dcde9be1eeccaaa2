import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { staffSessions } from '../../../schema/tables/staff-tables.ts';
import { lockSession } from '../../credentials/account-sessions.ts';
import { lockStaff } from '../accounts/staff-store.ts';

/** The signed-in member who makes a call about their own account. */
export interface CallingMember {
  id: string;
  email: string;
  name: string | null;
  /** SHA-256 of the token of their session. */
  sessionHash: Buffer;
  /** IP address. */
  address: string;
}

/**
 * Locks the caller’s account and session until the transaction ends. A reset by an admin then either removes
 * everything that the call has stored, or stops the call. Without the lock, a thief's password or passkey could
 * survive the reset.
 * @throws DomainError `unauthenticated` if the session has ended or the member is not active any more
 */
export async function lockCallingMember(
  transaction: Transaction,
  { id, sessionHash }: CallingMember,
  now: Date,
): Promise<void> {
  const member = await lockStaff(transaction, id);
  if (member?.state !== 'active') throw new DomainError('unauthenticated');
  await lockSession(transaction, staffSessions, { id, sessionHash, now });
}
