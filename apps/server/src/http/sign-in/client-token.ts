import type { FastifyRequest } from 'fastify';
import { hasOtherHalf, isHalf, type SessionCookieOptions } from './session-cookie.ts';

/**
 * Finds the token with which a request proves the sign-in of a client.
 * @returns null without a token, and without the cookie that the token needs
 */
export function clientTokenOf(request: FastifyRequest, options: SessionCookieOptions): string | null {
  const token = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
  return token !== null && isHalf(token) && !hasOtherHalf(request, token, options) ? null : token;
}
