import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';

/** Whether passkeys work: not in every browser, and never on an IP address. */
export function passkeySupport(
  { hostname } = location,
  hasCredentials = typeof PublicKeyCredential === 'function',
): 'yes' | 'browser' | 'address' {
  if (/^[\d.]+$|:|^\[/.test(hostname)) return 'address';
  return hasCredentials ? 'yes' : 'browser';
}

/** Makes a passkey on this device. @param options from the server @throws UserFacingError that says what to do */
export const createPasskey = (options: unknown) =>
  askBrowser(({ startRegistration }) => startRegistration({ optionsJSON: options as never }));

/** Proves with a passkey of this device who its owner is. @throws UserFacingError that says what to do */
export const requestPasskey = (options: unknown) =>
  askBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON: options as never }));

/** Loaded on first use, because most visits never need it. */
async function askBrowser<T>(
  ask: (library: typeof import('@simplewebauthn/browser')) => Promise<T>,
): Promise<T> {
  const library = await import('@simplewebauthn/browser').catch(() => {
    throw new UserFacingError(
      'This page could not be loaded completely. Check your connection and reload it.',
    );
  });
  try {
    return await ask(library);
  } catch (error) {
    throw new UserFacingError(passkeyText(error));
  }
}

function passkeyText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used: it was cancelled or took too long. Try again, or choose another way.';
  return 'This browser could not use a passkey. Try again, or choose another way.';
}
