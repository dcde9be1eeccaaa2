import type { AccessToken } from '@keyturn/contract';
import type { CallHandlers, RequestDevice } from '../../http/call-handlers.ts';
import { findClientOfLink } from '../../people/clients/check-password-link.ts';
import { signInClientWithPasskey } from '../../people/clients/factors/sign-in-with-passkey.ts';
import { requestPasswordLink } from '../../people/clients/password-link-mail.ts';
import { type SetPasswordDependencies, setPassword } from '../../people/clients/set-password.ts';
import { type SignedIn, type SignInDependencies, signIn } from '../../people/clients/sign-in.ts';
import { passwordLinkLanes } from '../../people/credentials/attempt-lanes.ts';
import { minPasswordLength } from '../../people/credentials/check-new-password.ts';
import { challengeLifetime } from '../../people/credentials/factors/challenges.ts';
import type { FactorDependencies } from '../../people/credentials/factors/factor-rules.ts';
import { activeFactors } from '../../people/credentials/factors/factors.ts';
import { startPasskeySignIn } from '../../people/credentials/factors/passkeys.ts';
import { deviceLifetime } from '../../people/credentials/known-devices.ts';
import { admitRequest, checkLink, useLink } from '../../people/credentials/limit-links.ts';
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
  const { database, throttle, sessions } = dependencies;
  return {
    'POST /login': async ({ body, address, userAgent, device, newToken, about }) => {
      about({ email: body.email });
      const signedIn = await signIn(dependencies, {
        ...body,
        address,
        userAgent,
        device: device.token,
        newToken,
        about,
      });
      return answerSignIn(signedIn, device);
    },
    'POST /passkey/options': async ({ origin, challenge }) => {
      const { options, browser } = await startPasskeySignIn(dependencies, origin);
      challenge.set(browser, challengeLifetime);
      return { options };
    },
    'POST /passkey/login': async ({
      body,
      address,
      userAgent,
      device,
      challenge,
      origin,
      newToken,
      about,
    }) => {
      const signedIn = await signInClientWithPasskey(dependencies, {
        credential: body.credential,
        browser: challenge.value,
        origin,
        address,
        userAgent,
        device: device.token,
        newToken,
        about,
      });
      challenge.clear();
      return answerSignIn(signedIn, device);
    },
    'POST /logout': async ({ client }) => {
      // The client’s sessions on other devices continue.
      await sessions.end(client.sessionHash);
      return undefined;
    },
    'POST /password/forgot': async ({ body, address, about }) => {
      about({ email: body.email });
      const lanes = passwordLinkLanes('request', body.email.trim().toLowerCase(), address);
      (await admitRequest(throttle, lanes)).failed();
      await requestPasswordLink(database, body.email, 'forgotten');
      return undefined;
    },
    'POST /password/check-link': async ({ body, address, about }) => {
      const link = { accountKind: 'client', token: body.token, address } as const;
      const client = await checkLink(throttle, link, () => findClientOfLink(dependencies, body.token));
      if (client !== null) about({ client });
      const factors = client ? await activeFactors(database, clientFactorTables, client) : [];
      const hasSecondFactor = factors.length > 0;
      return { is_open: client !== null, min_password_length: minPasswordLength({ hasSecondFactor }) };
    },
    'POST /password/reset': async ({ body, address, device, about }) => {
      const link = { accountKind: 'client', token: body.token, address } as const;
      const token = await useLink(throttle, link, () =>
        setPassword(dependencies, { ...body, device: device.token, address, about }),
      );
      device.remember(token, deviceLifetime);
      return undefined;
    },
  };
}

/** Makes the device known, and answers with the token. */
function answerSignIn({ token, expiresIn, device: known }: SignedIn, device: RequestDevice): AccessToken {
  device.remember(known, deviceLifetime);
  return { access_token: token, token_type: 'Bearer', expires_in: expiresIn };
}
