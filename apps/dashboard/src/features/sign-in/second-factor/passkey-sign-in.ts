import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import { passkeySupport, requestPasskey } from '@keyturn/ui/factors/browser-passkeys.ts';
import type { Services } from '../../../api/services/services.ts';

/**
 * Signs in with a passkey of this device. Loaded on demand, because few sign-ins need it.
 * @throws ApiError, UserFacingError
 */
export async function signInWithPasskey({ auth, call }: Pick<Services, 'auth' | 'call'>): Promise<void> {
  if (passkeySupport() !== 'yes')
    throw new UserFacingError(
      'Passkeys don’t work in this browser or at this address. Sign in with your password instead.',
    );
  const { options } = await call('POST /passkey/options');
  const credential = await requestPasskey(options);
  auth.signIn(await call('POST /passkey/login', { body: { credential } }));
}
