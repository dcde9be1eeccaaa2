import type { FastifyRequest } from 'fastify';
import { type SessionCookieOptions, tokenInCookie } from './session-cookie.ts';

/**
 * Finds the token with which a request proves the sign-in of a client: the bearer token or, without an `Authorization`
 * header, the token in the cookie that `X-CSRF-TOKEN` names. A cookie never replaces an invalid header.
 * @returns null without a token
 */
export function clientTokenOf(request: FastifyRequest, options: SessionCookieOptions): string | null {
  const { authorization } = request.headers;
  if (authorization === undefined) return tokenInCookie(request, options);
  return /^Bearer ([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1] ?? null;
}
