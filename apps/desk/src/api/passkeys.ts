import type { StaffFactor, StaffSignIn } from '@keyturn/contract/staff';
import { callStaff } from './desk-api.ts';

/** Whether passkeys work: not in every browser, and never on an IP address. */
export function passkeySupport(
  { hostname } = location,
  hasCredentials = typeof PublicKeyCredential === 'function',
): 'yes' | 'browser' | 'address' {
  if (/^[\d.]+$|:|^\[/.test(hostname)) return 'address';
  return hasCredentials ? 'yes' : 'browser';
}

/** Thrown when the browser creates or uses no passkey; the message is the reason. */
export class PasskeyProblem extends Error {
  override readonly name = 'PasskeyProblem';
}

/** Loaded on first use, because most sessions never need it. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Signs a member in with a passkey of this device. */
export async function signInWithPasskey(): Promise<StaffSignIn> {
  const { options } = await callStaff('POST /staff/passkey/options');
  const credential = await askBrowser(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options as never }),
  );
  return callStaff('POST /staff/passkey/login', { body: { credential } });
}

/** Confirms the member’s identity with a passkey. */
export async function confirmWithPasskey(): Promise<StaffSignIn> {
  const { options } = await callStaff('POST /staff/session/confirm/options');
  const credential = await askBrowser(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options as never }),
  );
  return callStaff('POST /staff/session/confirm/passkey', { body: { credential } });
}

/** Adds a passkey of this device. @returns the recovery codes that come with the first factor; null for a further one */
export async function addPasskey(
  name: string,
): Promise<{ factor: StaffFactor; recovery_codes: string[] | null }> {
  const { options } = await callStaff('POST /staff/passkeys/options');
  const credential = await askBrowser(({ startRegistration }) =>
    startRegistration({ optionsJSON: options as never }),
  );
  return callStaff('POST /staff/passkeys', { body: { credential, name } });
}

/** @throws PasskeyProblem that says what the member can do */
async function askBrowser<T>(
  ask: (library: typeof import('@simplewebauthn/browser')) => Promise<T>,
): Promise<T> {
  const library = await loadLibrary().catch(() => {
    throw new PasskeyProblem(
      'The desk could not be loaded completely. Check your connection and reload the page.',
    );
  });
  try {
    return await ask(library);
  } catch (error) {
    throw new PasskeyProblem(passkeyText(error));
  }
}

function passkeyText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used: it was cancelled or took too long. Try again, or choose another way.';
  return 'This browser could not use a passkey. Try again, or choose another way.';
}
