import type { CallHandlers } from '../../http/call-handlers.ts';
import { passwordLinkLanes } from '../../platform/credentials/attempt-lanes.ts';
import { deviceLifetime } from '../../platform/credentials/known-devices.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findClientOfLink } from './check-password-link.ts';
import { requestPasswordLink } from './send-password-link.ts';
import { type SetPasswordDependencies, setPassword } from './set-password.ts';
import { type SignInDependencies, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

type SignInCalls =
  | 'POST /login'
  | 'POST /logout'
  | 'POST /password/forgot'
  | 'POST /password/check-link'
  | 'POST /password/reset';

export function signInRoutes(
  dependencies: SignInDependencies & SetPasswordDependencies,
): CallHandlers<SignInCalls> {
  return {
    'POST /login': async ({ body, address, device, about }) => {
      about({ email: body.email });
      const signedIn = await signIn(dependencies, { ...body, address, device: device.token, about });
      const { token, expiresIn } = signedIn;
      device.remember(signedIn.device, deviceLifetime);
      return { access_token: token, token_type: 'Bearer', expires_in: expiresIn };
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
      return { is_open };
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

/** Limits requests for links, and with links that have expired: five a minute per email or link, twenty per address. */
async function admitLink({ throttle }: SignInDependencies, ...link: Parameters<typeof passwordLinkLanes>) {
  try {
    return await throttle.admit(passwordLinkLanes(...link));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'too_many_login_attempts') throw error;
    throw new DomainError('too_many_requests', { retryAfter: error.retryAfter ?? 60 });
  }
}
