import type { AccessToken } from '@keyturn/contract';
import type { CallHandlers, RequestDevice } from '../../http/call-handlers.ts';
import { admitLink } from '../../people/clients/admit-link.ts';
import { findClientOfLink } from '../../people/clients/check-password-link.ts';
import { signInClientWithPasskey } from '../../people/clients/factors/sign-in-with-passkey.ts';
import { requestPasswordLink } from '../../people/clients/send-password-link.ts';
import { type SetPasswordDependencies, setPassword } from '../../people/clients/set-password.ts';
import { type SignedIn, type SignInDependencies, signIn } from '../../people/clients/sign-in.ts';
import { signOut } from '../../people/clients/sign-out.ts';
import { minPasswordLength } from '../../people/credentials/check-new-password.ts';
import { challengeLifetime } from '../../people/credentials/factors/challenges.ts';
import type { FactorDependencies } from '../../people/credentials/factors/factor-rules.ts';
import { activeFactors } from '../../people/credentials/factors/factors.ts';
import { startPasskeySignIn } from '../../people/credentials/factors/passkeys.ts';
import { deviceLifetime } from '../../people/credentials/known-devices.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { clientFactorTables } from '../../schema/tables/factor-tables.ts';

type SignInCalls =
  | 'POST /login'
  | 'POST /passkey/options'
  | 'POST /passkey/login'
  | 'POST /logout'
  | 'POST /password/forgot'
  | 'POST /password/check-link'
  | 'POST /password/reset';

export function signInRoutes(
  dependencies: SignInDependencies & SetPasswordDependencies & FactorDependencies,
): CallHandlers<SignInCalls> {
  return {
    'POST /login': async ({ body, address, userAgent, device, about }) => {
      about({ email: body.email });
      const signedIn = await signIn(dependencies, {
        ...body,
        address,
        userAgent,
        device: device.token,
        about,
      });
      return answerSignIn(signedIn, device);
    },
    'POST /passkey/options': async ({ origin, challenge }) => {
      const { options, browser } = await startPasskeySignIn(dependencies, origin);
      challenge.set(browser, challengeLifetime);
      return { options };
    },
    'POST /passkey/login': async ({ body, address, userAgent, device, challenge, origin, about }) => {
      const signedIn = await signInClientWithPasskey(dependencies, {
        credential: body.credential,
        browser: challenge.value,
        origin,
        address,
        userAgent,
        device: device.token,
        about,
      });
      challenge.clear();
      return answerSignIn(signedIn, device);
    },
    'POST /logout': async ({ client }) => {
      await signOut(dependencies.sessions, client);
      return undefined;
    },
    'POST /password/forgot': async ({ body, address, about }) => {
      about({ email: body.email });
      (await admitLink(dependencies, 'request', body.email.trim().toLowerCase(), address)).failed();
      await requestPasswordLink(dependencies.database, body.email, 'forgotten');
      return undefined;
    },
    'POST /password/check-link': async ({ body, address, about }) => {
      const attempt = await admitLink(dependencies, 'use', body.token, address);
      const client = await attempt.withdrawnIfFails(findClientOfLink(dependencies, body.token));
      const is_open = client !== null;
      if (is_open) about({ client });
      if (is_open) await attempt.withdrawn();
      else attempt.failed();
      const factors = client ? await activeFactors(dependencies.database, clientFactorTables, client) : [];
      const hasSecondFactor = factors.length > 0;
      return { is_open, min_password_length: minPasswordLength({ hasSecondFactor }) };
    },
    'POST /password/reset': async ({ body, address, device, about }) => {
      const attempt = await admitLink(dependencies, 'use', body.token, address);
      const changed = setPassword(dependencies, { ...body, device: device.token, address, about });
      const token = await changed.catch(async (error: unknown) => {
        if (error instanceof DomainError && error.code === 'link_expired') attempt.failed();
        else await attempt.withdrawn();
        throw error;
      });
      device.remember(token, deviceLifetime);
      await attempt.withdrawn();
      return undefined;
    },
  };
}

/** Makes the device known, and answers with the token. */
function answerSignIn({ token, expiresIn, device: known }: SignedIn, device: RequestDevice): AccessToken {
  device.remember(known, deviceLifetime);
  return { access_token: token, token_type: 'Bearer', expires_in: expiresIn };
}
