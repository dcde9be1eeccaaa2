import { redirect } from '@tanstack/react-router';
import { nextPath } from './next-path.ts';
import type { Guard } from './run-guards.ts';

/** A token: past sign-in, to where the client was going. */
export const guest: Guard = ({ services, search }) => {
  if (services.auth.get()) throw redirect({ href: nextPath(search.next), replace: true });
};
