import { redirect } from '@tanstack/react-router';
import { nextPath } from './next-path.ts';
import type { Guard } from './run-guards.ts';

/** No token: to sign-in, and afterwards to where the client was going. */
export const authenticated: Guard = ({ services, href }) => {
  if (services.auth.get()) return;
  const next = nextPath(href);
  throw redirect({ to: '/login', search: next === '/' ? {} : { next }, replace: true });
};
