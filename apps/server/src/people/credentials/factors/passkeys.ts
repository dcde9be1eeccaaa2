import { randomBytes } from 'node:crypto';
import type { AddedFactor } from '@keyturn/contract';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { passkeyLanes } from '../attempt-lanes.ts';
import { consumeChallenge, saveChallenge } from './challenges.ts';
import { confirmIdentity } from './confirm-identity.ts';
import type { FactorDependencies, FactorOwner } from './factor-rules.ts';
import { activeFactors, addFactor, assertCanAddFactor } from './factors.ts';
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
 * @throws DomainError `factor_state` if the account has too many factors
 */
export async function startPasskey(
  { database, clock, productName, factorRules: { tables } }: FactorDependencies,
  owner: FactorOwner,
  origin: string,
): Promise<object> {
  await assertCanAddFactor(database, tables, owner.id);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: productName,
    rpID: domainOf(origin),
    userID: new TextEncoder().encode(owner.id),
    userName: owner.email,
    userDisplayName: owner.name ?? owner.email,
    attestationType: 'none',
    excludeCredentials: passkeysOf(await activeFactors(database, tables, owner.id)),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { challenge } = options;
  const challengeFor = { browserHash: owner.sessionHash, purpose: 'add' } as const;
  await saveChallenge(database, tables.challenges, { ...challengeFor, challenge, now: clock() });
  return options;
}

/** Adds the passkey that the browser has made. @throws DomainError `passkey_rejected`, `factor_state` */
export async function addPasskey(
  dependencies: FactorDependencies,
  owner: FactorOwner,
  { credential, name, origin }: { credential: SentCredential; name: string; origin: string },
): Promise<AddedFactor> {
  const { database, clock, factorRules } = dependencies;
  const { factors, challenges } = factorRules.tables;
  const now = clock();
  const challengeFor = { browserHash: owner.sessionHash, purpose: 'add', now } as const;
  const challenge = await consumeChallenge(database, challenges, challengeFor);
  const verified = challenge && (await verifyNewPasskey(credential, { challenge, origin }));
  if (!verified) throw new DomainError('passkey_rejected');
  const added = await addFactor(dependencies, owner, async (transaction) => {
    const [stored] = await transaction
      .insert(factors)
      .values({
        id: newId(),
        ownerId: owner.id,
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
  { database, clock, factorRules: { tables } }: FactorDependencies,
  origin: string,
): Promise<{ options: object; browser: string }> {
  const browser = randomBytes(32).toString('base64url');
  const options = await requestOptions(origin);
  const { challenge } = options;
  const challengeFor = { browserHash: hashToken(browser), purpose: 'sign_in' } as const;
  await saveChallenge(database, tables.challenges, { ...challengeFor, challenge, now: clock() });
  return { options, browser };
}

/** A passkey that a browser sends to sign in. */
export interface SentPasskey {
  credential: SentCredential;
  /** The token from the cookie; null without one. */
  browser: string | null;
  origin: string;
  /** IP address. */
  address: string;
}

/** An account whose passkey was verified. */
export interface PasskeySignIn {
  ownerId: string;
  /** Records the use of the passkey. @returns false if it was removed meanwhile */
  accept(transaction: Transaction): Promise<boolean>;
}

/**
 * Signs in with a passkey. Wrong ones are limited by address.
 * @param start starts the session; returns null if the account cannot sign in
 * @throws DomainError `passkey_rejected`, `too_many_login_attempts`
 */
export async function signInWithPasskey<SignedIn>(
  dependencies: FactorDependencies,
  sent: SentPasskey,
  start: (verified: PasskeySignIn) => Promise<SignedIn | null>,
): Promise<SignedIn> {
  const { throttle, factorRules } = dependencies;
  const attempt = await throttle.admit(passkeyLanes(sent.address, factorRules.accountKind));
  const checked = verifySignIn(dependencies, sent).then((verified) => verified && start(verified));
  const signedIn = await attempt.withdrawnIfFails(checked);
  if (!signedIn) {
    attempt.failed();
    throw new DomainError('passkey_rejected');
  }
  await attempt.withdrawn();
  return signedIn;
}

async function verifySignIn(
  { database, clock, factorRules: { tables } }: FactorDependencies,
  { credential, browser, origin }: SentPasskey,
): Promise<PasskeySignIn | null> {
  if (browser === null) return null;
  const challengeFor = { browserHash: hashToken(browser), purpose: 'sign_in', now: clock() } as const;
  const challenge = await consumeChallenge(database, tables.challenges, challengeFor);
  const passkey =
    challenge && (await verifyPasskey(database, tables.factors, credential, { challenge, origin }));
  if (!passkey) return null;
  return {
    ownerId: passkey.factor.ownerId,
    accept: (transaction) => passkey.accept(transaction, clock()),
  };
}

/** Starts to confirm the owner's identity with a passkey. @returns the options for the browser */
export async function startPasskeyConfirmation(
  { database, clock, factorRules: { tables } }: FactorDependencies,
  owner: FactorOwner,
  origin: string,
): Promise<object> {
  const options = await requestOptions(origin, passkeysOf(await activeFactors(database, tables, owner.id)));
  const { challenge } = options;
  const challengeFor = { browserHash: owner.sessionHash, purpose: 'confirm' } as const;
  await saveChallenge(database, tables.challenges, { ...challengeFor, challenge, now: clock() });
  return options;
}

/** Records in the session that its owner proved who they are with a passkey. @throws DomainError `passkey_rejected`, `too_many_login_attempts` */
export async function confirmWithPasskey(
  dependencies: FactorDependencies,
  owner: FactorOwner,
  { credential, origin }: { credential: SentCredential; origin: string },
): Promise<void> {
  const { database, clock, factorRules } = dependencies;
  const { challenges, factors } = factorRules.tables;
  const prove = async () => {
    const challengeFor = { browserHash: owner.sessionHash, purpose: 'confirm', now: clock() } as const;
    const challenge = await consumeChallenge(database, challenges, challengeFor);
    const passkey = challenge && (await verifyPasskey(database, factors, credential, { challenge, origin }));
    if (!passkey || passkey.factor.ownerId !== owner.id) return null;
    return async (transaction: Transaction) =>
      (await passkey.accept(transaction, clock())) ? 'passkey' : null;
  };
  await confirmIdentity(dependencies, owner, prove, 'passkey_rejected');
}

/** Returns the passkeys among an account’s factors, as options for the browser. */
const passkeysOf = (factors: Awaited<ReturnType<typeof activeFactors>>) =>
  factors.flatMap(({ credentialId: id, transports }) => (id ? [{ id, transports: transports ?? [] }] : []));

async function requestOptions(origin: string, allowCredentials: { id: string; transports: string[] }[] = []) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: domainOf(origin),
    userVerification: 'required',
    allowCredentials,
  });
}
