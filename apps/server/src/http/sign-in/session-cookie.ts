import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AccessToken, CookieSession } from '@keyturn/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNameOf, cookieOf, cookiesOf } from '../cookies.ts';

/*
 * A sign-in whose token is in a cookie that scripts cannot read. Each has a separate cookie, which its CSRF token names, so
 * that a request is always made for the sign-in of its page. See decision 42.
 */

export interface SessionCookieOptions {
  /** Whether clients use HTTPS although a proxy talks HTTP to this server. */
  isHttps: boolean;
  /** The origin at which clients open the dashboard; null: the host of each request. */
  origin: string | null;
}

/** A sign-in whose token goes into a cookie. */
export interface CookieSignIn extends SessionCookieOptions {
  token: AccessToken;
  /** Finds whether the sign-in of a token has not ended. */
  isLive(token: string): Promise<boolean>;
}

/**
 * Puts the token of a new sign-in into a cookie, and removes earlier ones that have become too many.
 * @returns the answer to the sign-in, without the token
 */
export async function storeInCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token: { access_token, expires_in }, isLive, ...options }: CookieSignIn,
): Promise<CookieSession> {
  const csrfToken = csrfTokenOf(access_token);
  for (const key of await findSurplusKeys(storedTokens(request, options), isLive)) {
    sessionCookieOf(request, reply, key, options).clear();
  }
  sessionCookieOf(request, reply, keyOf(csrfToken), options).set(access_token, expires_in);
  return { csrf_token: csrfToken, expires_in };
}

/**
 * Finds the cookies to remove: those of sign-ins that ended without a sign-out, and the oldest of the others if there are
 * still too many. Too many would exceed the limit of a request’s headers.
 * @param stored the tokens of the cookies by their keys, the oldest first, as browsers send them
 */
async function findSurplusKeys(
  stored: ReadonlyMap<string, string>,
  isLive: CookieSignIn['isLive'],
): Promise<string[]> {
  if (stored.size < maxCookies) return [];
  const checked = [...stored]
    .filter(([key, token]) => tokenForm.test(token) && keyOf(csrfTokenOf(token)) === key)
    .slice(-2 * maxCookies);
  const areLive = await Promise.all(checked.map(([, token]) => isLive(token)));
  const live = checked.filter((_cookie, index) => areLive[index]).map(([key]) => key);
  const kept = new Set(live.slice(1 - maxCookies));
  return [...stored.keys()].filter((key) => !kept.has(key)).slice(0, maxRemoved);
}

/** Lists the cookies of this request that could belong to sign-ins. */
function storedTokens(request: FastifyRequest, options: SessionCookieOptions): Map<string, string> {
  const prefix = cookieNameOf(request, { name: plainPrefix, ...options });
  const tokens = new Map<string, string>();
  for (const { name, value } of cookiesOf(request)) {
    const key = name.slice(prefix.length);
    if (name.startsWith(prefix) && /^[\w-]{1,64}$/.test(key) && !tokens.has(key)) tokens.set(key, value);
  }
  return tokens;
}

/**
 * Finds the token in the cookie of a sign-in. Browsers send cookies with requests of other sites too, so it counts only
 * together with its CSRF token, which no other site can read, and only from a page of this origin. This applies to
 * every method.
 * @returns null without a valid CSRF token
 */
export function tokenInCookie(request: FastifyRequest, options: SessionCookieOptions): string | null {
  const csrfToken = csrfTokenIn(request);
  if (csrfToken === null || !isFromOwnPage(request, options)) return null;
  const name = cookieNameOf(request, { name: plainPrefix + keyOf(csrfToken), ...options });
  const token = cookiesOf(request).find((cookie) => cookie.name === name)?.value;
  if (!token || !tokenForm.test(token)) return null;
  return timingSafeEqual(Buffer.from(csrfTokenOf(token)), Buffer.from(csrfToken)) ? token : null;
}

/** Removes the cookie of the sign-in that a request belongs to. */
export function removeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  options: SessionCookieOptions,
): void {
  const csrfToken = csrfTokenIn(request);
  if (csrfToken !== null) sessionCookieOf(request, reply, keyOf(csrfToken), options).clear();
}

/** Derived from the token, so that it need not be stored and belongs to one sign-in. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('requests of a client').digest('base64url');

const plainPrefix = 'keyturn-session-';

const tokenForm = /^[\w-]{1,100}$/;

/** More than the tabs with separate sign-ins that a client opens. */
const maxCookies = 8;

/** Per sign-in, because proxies limit the headers of a response too. */
const maxRemoved = 2 * maxCookies;

/** Names the cookie of a sign-in. */
const keyOf = (csrfToken: string) => csrfToken.slice(0, 8);

const sessionCookieOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { isHttps }: SessionCookieOptions,
) => cookieOf(request, reply, { name: plainPrefix + key, isHttps });

function csrfTokenIn({ headers }: FastifyRequest): string | null {
  const sent = headers['x-csrf-token'];
  return typeof sent === 'string' && /^[\w-]{43}$/.test(sent) ? sent : null;
}

function isFromOwnPage({ headers, host }: FastifyRequest, { origin: own }: SessionCookieOptions): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  // Older browsers send only the origin, and only with changes.
  return origin === undefined || [own, `http://${host}`, `https://${host}`].includes(origin);
}
