import { randomBytes } from 'node:crypto';
import type { AddedFactor } from '@keyturn/contract/staff';
import { passkeyLanes } from '../../../platform/credentials/attempt-lanes.ts';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { staffFactors } from '../../../platform/tables/staff-tables.ts';
import { findStaff, lockStaff } from '../accounts/staff-store.ts';
import { activeFactors, addFactor, assertCanAddFactor } from '../factors/factors.ts';
import type { CallingMember } from '../sign-in/calling-member.ts';
import { confirmIdentity } from '../sign-in/confirm-identity.ts';
import {
  isKnownDevice,
  type SignInOrigin,
  type StaffSignedIn,
  startSignIn,
} from '../sign-in/staff-sign-in.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';
import { consumeChallenge, saveChallenge } from './challenges.ts';
import {
  domainOf,
  loadWebAuthn,
  type SentCredential,
  verifyNewPasskey,
  verifyPasskey,
} from './verify-passkey.ts';

/**
 * Starts to add a passkey: discoverable, so that it can sign in without an email, and with user verification, so that it
 * is two factors in one.
 * @returns the options for the browser
 * @throws DomainError `staff_state` if the member has too many factors
 */
export async function startPasskey(
  { database, clock, productName }: StaffDependencies,
  owner: CallingMember,
  origin: string,
): Promise<object> {
  await assertCanAddFactor(database, owner.id);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const factors = await activeFactors(database, owner.id);
  const options = await generateRegistrationOptions({
    rpName: productName,
    rpID: domainOf(origin),
    userID: new TextEncoder().encode(owner.id),
    userName: owner.email,
    userDisplayName: owner.name ?? owner.email,
    attestationType: 'none',
    excludeCredentials: factors.flatMap(({ credentialId: id, transports }) =>
      id ? [{ id, transports: transports ?? [] }] : [],
    ),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const challengeFor = { browserHash: owner.sessionHash, purpose: 'add' } as const;
  await saveChallenge(database, challengeFor, options.challenge, clock());
  return options;
}

/** Adds the passkey that the browser has made. @throws DomainError `passkey_rejected`, `staff_state` */
export async function addPasskey(
  dependencies: StaffDependencies,
  owner: CallingMember,
  { credential, name, origin }: { credential: SentCredential; name: string; origin: string },
): Promise<AddedFactor> {
  const { database, clock } = dependencies;
  const now = clock();
  const challenge = await consumeChallenge(database, { browserHash: owner.sessionHash, purpose: 'add' }, now);
  const verified = challenge && (await verifyNewPasskey(credential, { challenge, origin }));
  if (!verified) throw new DomainError('passkey_rejected');
  const added = await addFactor(dependencies, owner, async (transaction) => {
    const [stored] = await transaction
      .insert(staffFactors)
      .values({
        id: newId(),
        staffId: owner.id,
        kind: 'passkey',
        name,
        createdAt: now,
        activeAt: now,
        credentialId: verified.id,
        publicKey: Buffer.from(verified.publicKey),
        counter: verified.counter,
        transports: verified.transports,
      })
      .onConflictDoNothing()
      .returning();
    return stored ?? null;
  });
  if (!added) throw new DomainError('passkey_rejected');
  return added;
}

/**
 * Starts to sign in with a passkey.
 * @returns the options for the browser, and the token for the cookie that binds the challenge to it
 */
export async function startPasskeySignIn(
  { database, clock }: StaffDependencies,
  origin: string,
): Promise<{ options: object; browser: string }> {
  const browser = randomBytes(32).toString('base64url');
  const options = await requestOptions(origin);
  const challengeFor = { browserHash: hashToken(browser), purpose: 'sign_in' } as const;
  await saveChallenge(database, challengeFor, options.challenge, clock());
  return { options, browser };
}

/**
 * Signs a member in with a passkey.
 * @param sent.browser the token from the cookie; null without one
 * @throws DomainError `passkey_rejected`, `too_many_login_attempts`
 */
export async function signInWithPasskey(
  dependencies: StaffDependencies,
  sent: { credential: SentCredential; browser: string | null; origin: string },
  from: SignInOrigin,
): Promise<StaffSignedIn> {
  const attempt = await dependencies.throttle.admit(passkeyLanes(from.address));
  let signedIn: StaffSignedIn | null;
  try {
    signedIn = await checkPasskey(dependencies, sent, from);
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  if (!signedIn) {
    attempt.failed();
    throw new DomainError('passkey_rejected');
  }
  await attempt.withdrawn();
  return signedIn;
}

async function checkPasskey(
  dependencies: StaffDependencies,
  { credential, browser, origin }: { credential: SentCredential; browser: string | null; origin: string },
  from: SignInOrigin,
): Promise<StaffSignedIn | null> {
  if (browser === null) return null;
  const { database, clock } = dependencies;
  const challengeFor = { browserHash: hashToken(browser), purpose: 'sign_in' } as const;
  const challenge = await consumeChallenge(database, challengeFor, clock());
  const passkey = challenge && (await verifyPasskey(database, credential, { challenge, origin }));
  if (!passkey) return null;
  const member = await findStaff(database, passkey.factor.staffId);
  if (!member) return null;
  const isKnown = await isKnownDevice(dependencies, from, member.email);
  return database.transaction(async (transaction) => {
    await lockStaff(transaction, member.id);
    if (!(await passkey.accept(transaction, clock()))) return null;
    const signIn = { member, passwordHash: null, method: 'passkey', from, isKnown };
    return startSignIn(dependencies, transaction, signIn);
  });
}

/** Starts to confirm the member's identity with a passkey. @returns the options for the browser */
export async function startPasskeyConfirmation(
  { database, clock }: StaffDependencies,
  member: CallingMember,
  origin: string,
): Promise<object> {
  const factors = await activeFactors(database, member.id);
  const allowed = factors.flatMap(({ credentialId: id, transports }) =>
    id ? [{ id, transports: transports ?? [] }] : [],
  );
  const options = await requestOptions(origin, allowed);
  const challengeFor = { browserHash: member.sessionHash, purpose: 'confirm' } as const;
  await saveChallenge(database, challengeFor, options.challenge, clock());
  return options;
}

/** Records in the session that the member proved who they are with a passkey. @throws DomainError `passkey_rejected`, `too_many_login_attempts` */
export async function confirmWithPasskey(
  dependencies: StaffDependencies,
  member: CallingMember,
  { credential, origin }: { credential: SentCredential; origin: string },
): Promise<void> {
  const { database, clock } = dependencies;
  const prove = async () => {
    const challengeFor = { browserHash: member.sessionHash, purpose: 'confirm' } as const;
    const challenge = await consumeChallenge(database, challengeFor, clock());
    const passkey = challenge && (await verifyPasskey(database, credential, { challenge, origin }));
    if (!passkey || passkey.factor.staffId !== member.id) return null;
    return async (transaction: Parameters<typeof passkey.accept>[0]) =>
      (await passkey.accept(transaction, clock())) ? 'passkey' : null;
  };
  await confirmIdentity(dependencies, member, prove, 'passkey_rejected');
}

async function requestOptions(origin: string, allowCredentials: { id: string; transports: string[] }[] = []) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: domainOf(origin),
    userVerification: 'required',
    allowCredentials,
  });
}
