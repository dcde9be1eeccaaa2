import { runTransaction } from '../../../platform/run-transaction.ts';
import { type SentPasskey, signInWithPasskey } from '../../credentials/factors/passkeys.ts';
import { findStaff, lockStaff } from '../accounts/staff-store.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';
import { type SignInOrigin, type StaffSignedIn, startSignIn } from './staff-sign-in.ts';

/** Signs a member in with a passkey. @throws DomainError `passkey_rejected`, `too_many_login_attempts` */
export const signInStaffWithPasskey = (
  dependencies: StaffDependencies,
  sent: Omit<SentPasskey, 'address'>,
  from: SignInOrigin,
): Promise<StaffSignedIn> =>
  signInWithPasskey(dependencies, { ...sent, address: from.address }, async ({ ownerId, accept }) => {
    const { database, devices } = dependencies;
    const member = await findStaff(database, ownerId);
    if (!member) return null;
    const isKnown = await devices.isKnown(from.device, member.email);
    return runTransaction(database, async (transaction) => {
      await lockStaff(transaction, member.id);
      if (!(await accept(transaction))) return null;
      const signIn = { member, passwordHash: null, method: 'passkey', from, isKnown };
      return startSignIn(dependencies, transaction, signIn);
    });
  });
