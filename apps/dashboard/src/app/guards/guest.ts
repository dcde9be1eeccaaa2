import { redirect } from '@tanstack/react-router';
import type { Guard } from './guard.ts';
import { nextPath } from './next-path.ts';

/** Sends a signed-in client past sign-in, to where they were going. */
export const guest: Guard = ({ services, search }) => {
  if (services.auth.get()) throw redirect({ href: nextPath(search.next), replace: true });
};
