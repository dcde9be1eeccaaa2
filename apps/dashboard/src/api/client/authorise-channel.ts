import { type Check, isObjectOf, isString } from '../checks/check.ts';
import type { AuthStore } from '../session/auth-store.ts';

/** A request to subscribe to a channel or, without a channel name, to sign in the user. */
export interface ChannelRequest {
  socket_id: string;
  channel_name?: string;
}

/** The server's signature of the request, with the data that it signed. */
export interface ChannelAnswer {
  auth: string;
  /** For a presence channel: the member, as JSON. */
  channel_data?: string;
  /** For a sign-in of the user, as JSON. */
  user_data?: string;
}

/**
 * Requests the authorisation of a subscription for the signed-in client.
 * @throws Error if the server rejects it, cannot be reached, or sends an unexpected answer
 */
export type AuthoriseChannel = (path: string, request: ChannelRequest) => Promise<ChannelAnswer>;

/**
 * Creates the function that authorises channels. Like every call it uses the API's origin and the current token, and a 401
 * ends the sign-in. Unlike calls it sends cookies, with the CSRF token if an external server has set one.
 */
export function createAuthoriseChannel(
  auth: Pick<AuthStore, 'authorization' | 'clear'>,
  {
    apiBaseUrl,
    fetch = globalThis.fetch.bind(globalThis),
    cookies = () => document.cookie,
  }: { apiBaseUrl: string; fetch?: typeof globalThis.fetch; cookies?(): string },
): AuthoriseChannel {
  return async (path, request) => {
    const endpoint = apiBaseUrl.startsWith('/') ? path : new URL(path, apiBaseUrl).href;
    const authorization = auth.authorization();
    const csrf = csrfToken(cookies());
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Activity': 'background',
        ...(authorization ? { Authorization: authorization } : {}),
        ...(csrf ? { 'X-XSRF-TOKEN': csrf } : {}),
      },
      body: JSON.stringify(request),
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    // A late 401 may be about an older token than the current one.
    if (response.status === 401 && authorization && authorization === auth.authorization())
      auth.clear('expired');
    if (response.status !== 200) throw new Error(`the channel was refused with ${response.status}`);
    const answer: unknown = await response.json();
    if (!isAnswer(answer)) throw new Error('the answer about the channel could not be read');
    return answer;
  };
}

const isMaybeText: Check<string | undefined> = (value): value is string | undefined =>
  value === undefined || isString(value);

const hasAuth = isObjectOf<{ auth: string }>({ auth: isString });
const isAnswer: Check<ChannelAnswer> = (value): value is ChannelAnswer => {
  if (!hasAuth(value)) return false;
  const { channel_data, user_data } = value as Record<string, unknown>;
  return isMaybeText(channel_data) && isMaybeText(user_data);
};

/** Reads the CSRF token from the cookie that Laravel sets. */
function csrfToken(cookies: string): string | null {
  const found = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1];
  try {
    return found ? decodeURIComponent(found) : null;
  } catch {
    return null;
  }
}
