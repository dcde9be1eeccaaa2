import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNameOf, cookieOf, cookiesOf } from '../cookies.ts';

/*
 * A sign-in in two halves: the token that its page keeps and sends, and the secret in a cookie that scripts cannot read.
 * Each sign-in has a separate cookie, which its token names, so that a request is always made for the sign-in of its page.
 * See decision 55.
 */

export interface SessionCookieOptions {
  /** Whether clients use HTTPS although a proxy talks HTTP to this server. */
  isHttps: boolean;
  /** The origin at which clients open the dashboard; null: the host of each request. */
  origin: string | null;
}

export interface SessionHalves {
  secret: string;
  /** Derived from the secret, so that neither is stored, and accepted only together with it. */
  token: string;
}

/** A cookie to store. */
export interface NewSessionCookie extends SessionCookieOptions, SessionHalves {
  /** Seconds. */
  lifetime: number;
  /** Finds whether the sign-in of a token has not ended. */
  isLive(token: string): Promise<boolean>;
}

/** Whether a sign-in gets a cookie: on a page of this origin, unless the browser blocks cookies. */
export function acceptsCookie(request: FastifyRequest, options: SessionCookieOptions): boolean {
  const { 'x-cookies': cookies, 'x-session': pageOfRelease020 } = request.headers;
  // A script could claim it to get a token that works without a cookie, but cannot keep cookies out of the request.
  const blocksCookies = cookies === 'blocked' && request.headers.cookie === undefined;
  // Pages of 0.2.0 send no cookie together with a token.
  return !blocksCookies && pageOfRelease020 === undefined && isFromOwnPage(request, options) === true;
}

export function createHalves(): SessionHalves {
  const secret = `kt_cookie_${randomBytes(32).toString('base64url')}`;
  return { secret, token: tokenOf(secret) };
}

/** Puts the secret of a new sign-in into a cookie, and removes earlier ones that have become too many. */
export async function storeInCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, token, lifetime, isLive, ...options }: NewSessionCookie,
): Promise<void> {
  for (const key of await findSurplusKeys(storedSecrets(request, options), isLive)) {
    sessionCookieOf(request, reply, key, options).clear();
  }
  sessionCookieOf(request, reply, keyOf(token), options).set(secret, lifetime);
}

/**
 * Finds the cookies to remove: those of sign-ins that ended without a sign-out, and the oldest of the others if there are
 * still too many. Too many would exceed the limit of a request’s headers.
 * @param stored the secrets in the cookies by their keys, the oldest first, as browsers send them
 */
async function findSurplusKeys(
  stored: ReadonlyMap<string, string>,
  isLive: NewSessionCookie['isLive'],
): Promise<string[]> {
  if (stored.size < maxCookies) return [];
  const checked = [...stored]
    .filter(([, secret]) => secretForm.test(secret))
    .map(([key, secret]) => ({ key, token: tokenOf(secret) }))
    .filter(({ key, token }) => keyOf(token) === key)
    .slice(-2 * maxCookies);
  const areLive = await Promise.all(checked.map(({ token }) => isLive(token)));
  const live = checked.filter((_cookie, index) => areLive[index]).map(({ key }) => key);
  const kept = new Set(live.slice(1 - maxCookies));
  return [...stored.keys()].filter((key) => !kept.has(key)).slice(0, maxRemoved);
}

/** Lists the cookies of this request that could belong to sign-ins. */
function storedSecrets(request: FastifyRequest, options: SessionCookieOptions): Map<string, string> {
  const prefix = cookieNameOf(request, { name: plainPrefix, ...options });
  const secrets = new Map<string, string>();
  for (const { name, value } of cookiesOf(request)) {
    const key = name.slice(prefix.length);
    if (name.startsWith(prefix) && /^[\w-]{1,64}$/.test(key) && !secrets.has(key)) secrets.set(key, value);
  }
  return secrets;
}

/** Whether a token is accepted only together with its cookie. */
export const isHalf = (token: string): boolean => token.startsWith(halfPrefix);

/**
 * Whether a request has the cookie of its token. No page of another origin can send both, so a request that the browser
 * marks as coming from one is rejected as well.
 */
export function hasOtherHalf(request: FastifyRequest, token: string, options: SessionCookieOptions): boolean {
  if (isFromOwnPage(request, options) === false) return false;
  const name = cookieNameOf(request, { name: plainPrefix + keyOf(token), ...options });
  const secret = cookiesOf(request).find((cookie) => cookie.name === name)?.value ?? '';
  if (!secretForm.test(secret)) return false;
  const [expected, sent] = [Buffer.from(tokenOf(secret)), Buffer.from(token)];
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

/** Removes the cookie of a sign-in. */
export const removeCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  options: SessionCookieOptions,
): void => sessionCookieOf(request, reply, keyOf(token), options).clear();

const halfPrefix = 'kt_half_';

/** Has the form that servers of 0.2.0 accept, which check it without the cookie while they are replaced. */
const tokenOf = (secret: string): string =>
  halfPrefix + createHmac('sha256', secret).update('token of a client').digest('base64url').slice(0, 38);

const plainPrefix = 'keyturn-session-';

const secretForm = /^kt_cookie_[\w-]{43}$/;

/** More than the tabs with separate sign-ins that a client opens. */
const maxCookies = 8;

/** Per sign-in, because proxies limit the headers of a response too. */
const maxRemoved = 2 * maxCookies;

/** Names the cookie of a sign-in. */
const keyOf = (token: string) => token.slice(halfPrefix.length, halfPrefix.length + 8);

const sessionCookieOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { isHttps }: SessionCookieOptions,
) => cookieOf(request, reply, { name: plainPrefix + key, isHttps });

/** @returns undefined if nothing names a page: programs, and reads of older browsers */
function isFromOwnPage(
  { headers, host }: FastifyRequest,
  { origin: own }: SessionCookieOptions,
): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined ? undefined : [own, `http://${host}`, `https://${host}`].includes(origin);
}
