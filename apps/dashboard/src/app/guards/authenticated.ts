import { Redirect } from '../../navigation/outcomes.ts';
import type { Guard } from './guard.ts';
import { signInPath } from './next-path.ts';

/** Sends a signed-out client to sign-in, and then to the page that they requested. */
export const authenticated: Guard = ({ services, href }) => {
  if (services.auth.get()) return;
  throw new Redirect(signInPath(href));
};
