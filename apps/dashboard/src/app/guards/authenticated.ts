import { Redirect } from '../../navigation/outcomes.ts';
import type { Guard } from './guard.ts';
import { signInPath } from './next-path.ts';

/** Sends a signed-out client to sign-in, and back to where they were going afterwards. */
export const authenticated: Guard = ({ services, href }) => {
  if (services.auth.get()) return;
  throw new Redirect(signInPath(href));
};
