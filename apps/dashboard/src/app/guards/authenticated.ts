import { redirect } from '@tanstack/react-router';
import type { Guard } from './guard.ts';
import { nextPath } from './next-path.ts';

/** Sends a signed-out client to sign-in, and back to where they were going afterwards. */
export const authenticated: Guard = ({ services, href }) => {
  if (services.auth.get()) return;
  const next = nextPath(href);
  throw redirect({ to: '/login', search: next === '/' ? {} : { next }, replace: true });
};
