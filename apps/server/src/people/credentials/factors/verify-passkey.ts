import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import type { FactorRow, FactorTables } from '../../../schema/tables/factor-tables.ts';

/** A credential as the browser sends it. The library checks its parts. */
export interface SentCredential {
  id: string;
  response: object;
}

/** The properties that a credential must prove. */
export interface Expected {
  challenge: string;
  /** The origin of the page that asked for it. */
  origin: string;
}

/** Imported on first use, because many servers never need it. */
export const loadWebAuthn = () => import('./web-authn.ts');

/** The domain that passkeys belong to. */
export const domainOf = (origin: string) => new URL(origin).hostname;

/** Returns the id by which a passkey names its account: the bytes of the account’s id, in base64url. */
const userHandleOf = (ownerId: string) => Buffer.from(ownerId).toString('base64url');

export interface NewPasskey {
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

/** Verifies a new passkey. @returns null if it is invalid */
export async function verifyNewPasskey(
  sent: SentCredential,
  { challenge, origin }: Expected,
): Promise<NewPasskey | null> {
  const { attestationObject } = sent.response as { attestationObject?: string };
  if (!attestationObject) return null;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    if (!(await hasNoCertificates(attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: sent as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domainOf(origin),
      requireUserVerification: true,
    });
    if (!verified || registrationInfo.credential.id.length > maxIdLength) return null;
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    return {
      id,
      publicKey,
      counter,
      transports: knownTransports.filter((known) => transports?.includes(known)),
    };
  } catch {
    // The library throws for every invalid credential.
    return null;
  }
}

/**
 * Tells whether an attestation is one that was asked for: none, or the passkey’s own signature, which the standard lets
 * browsers leave in place. The library would parse and verify every certificate of the others.
 */
async function hasNoCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadWebAuthn();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The 1,023 bytes that the standard allows, in base64url. */
const maxIdLength = 1_364;

/** Ways in which a browser can reach an authenticator. Others cannot be passed back to a browser. */
const knownTransports = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export interface VerifiedPasskey {
  factor: FactorRow;
  /** Records the use. @returns false if the passkey was removed meanwhile */
  accept(connection: Connection, now: Date): Promise<boolean>;
}

/** Verifies a passkey of an account. @returns null if it is unknown or invalid */
export async function verifyPasskey(
  connection: Connection,
  factors: FactorTables['factors'],
  sent: SentCredential,
  { challenge, origin }: Expected,
): Promise<VerifiedPasskey | null> {
  const [factor] = await connection
    .select()
    .from(factors)
    .where(and(eq(factors.credentialId, sent.id), isNotNull(factors.activeAt)));
  if (!factor?.credentialId || !factor.publicKey) return null;
  const response = sent as unknown as AuthenticationResponseJSON;
  // Optional: authenticators may leave it out when the options name the passkeys that are allowed.
  const { userHandle } = response.response;
  if (userHandle && userHandle !== userHandleOf(factor.ownerId)) return null;
  const counter = await verifyAssertion(response, factor, { challenge, origin });
  if (counter === null) return null;
  return {
    factor,
    accept: async (transaction, now) => {
      const { rowCount } = await transaction
        .update(factors)
        .set({ counter, lastUsedAt: now })
        .where(eq(factors.id, factor.id));
      return rowCount === 1;
    },
  };
}

/** @returns the passkey's counter of uses; null if the assertion is invalid */
async function verifyAssertion(
  response: AuthenticationResponseJSON,
  { credentialId, publicKey, counter }: FactorRow,
  { challenge, origin }: Expected,
): Promise<number | null> {
  if (!credentialId || !publicKey) return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domainOf(origin),
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: counter ?? 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
