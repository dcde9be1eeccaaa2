import { Redirect } from '../../navigation/outcomes.ts';
import type { Guard } from './guard.ts';
import { nextPath } from './next-path.ts';

/** Sends a signed-in client past sign-in, to the page that they requested. */
export const guest: Guard = ({ services, search }) => {
  if (services.auth.get()) throw new Redirect(nextPath(search.next));
};
