import type { CallHandlers } from '../../http/call-handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import { askForPasswordLink } from './send-password-link.ts';
import { type SetPasswordDependencies, setPassword } from './set-password.ts';
import { type SignInDependencies, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

type SignInCalls = 'POST /login' | 'POST /logout' | 'POST /password/forgot' | 'POST /password/reset';

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
      await limitLinks(dependencies, body.email, address);
      await askForPasswordLink(dependencies.database, body.email, 'forgotten');
      return undefined;
    },
    'POST /password/reset': async ({ body }) => {
      await setPassword(dependencies, body);
      return undefined;
    },
  };
}

/** As many as there may be failed sign-ins: five a minute for an email, twenty for an address. */
async function limitLinks({ throttle }: SignInDependencies, email: string, address: string) {
  try {
    const attempt = await throttle.admit(`password link ${email.trim().toLowerCase()}`, address);
    attempt.failed();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'too_many_login_attempts') throw error;
    throw new Refusal('too_many_requests', { retryAfter: error.retryAfter ?? 60 });
  }
}
