import type { CallHandlers } from '../../http/call-handlers.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isPasswordLinkValid } from './check-password-link.ts';
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
    'POST /login': async ({ body, address }) => {
      const { token, expiresIn } = await signIn(dependencies, { ...body, address });
      return { access_token: token, token_type: 'Bearer', expires_in: expiresIn };
    },
    'POST /logout': async ({ client }) => {
      await signOut(dependencies.sessions, client);
      return undefined;
    },
    'POST /password/forgot': async ({ body, address }) => {
      const subject = `password link ${body.email.trim().toLowerCase()}`;
      (await admitLink(dependencies, subject, address)).failed();
      await requestPasswordLink(dependencies.database, body.email, 'forgotten');
      return undefined;
    },
    'POST /password/check-link': async ({ body, address }) => {
      const attempt = await admitLink(dependencies, `password token ${body.token}`, address);
      const is_open = await isPasswordLinkValid(dependencies, body.token);
      if (is_open) await attempt.withdrawn();
      else attempt.failed();
      return { is_open };
    },
    'POST /password/reset': async ({ body }) => {
      await setPassword(dependencies, body);
      return undefined;
    },
  };
}

/** Applies the limits of failed sign-ins: five a minute per email or expired link, twenty per address. */
async function admitLink({ throttle }: SignInDependencies, subject: string, address: string) {
  try {
    return await throttle.admit(subject, address);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'too_many_login_attempts') throw error;
    throw new DomainError('too_many_requests', { retryAfter: error.retryAfter ?? 60 });
  }
}
