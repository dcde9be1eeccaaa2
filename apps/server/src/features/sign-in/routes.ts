import type { CallHandlers } from '../../http/call-handlers.ts';
import { type SignInDependencies, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export function signInRoutes(dependencies: SignInDependencies): CallHandlers<'POST /login' | 'POST /logout'> {
  return {
    'POST /login': async ({ body, address }) => {
      const { token, expiresIn } = await signIn(dependencies, { ...body, address });
      return { access_token: token, token_type: 'Bearer', expires_in: expiresIn };
    },
    'POST /logout': async ({ client }) => {
      await signOut(dependencies.sessions, client);
      return undefined;
    },
  };
}
