import { type Check, isObjectOf, isString } from '../checks/check.ts';
import type { AuthStore } from '../session/auth-store.ts';

/** What the real-time channel asks for: a channel, or with none the client themself. */
export interface ChannelRequest {
  socket_id: string;
  channel_name?: string;
}

/** The server's signature under it, with what was signed. */
export interface ChannelAnswer {
  auth: string;
  /** For a presence channel: who it is. */
  channel_data?: string;
  /** For the client themself. */
  user_data?: string;
}

/**
 * Asks whether the signed-in client may listen.
 * @throws Error with the status in words: refused, not reached, or no answer that could be read
 */
export type AuthoriseChannel = (path: string, request: ChannelRequest) => Promise<ChannelAnswer>;

/**
 * By the rules of every call: at the API's origin, with the token as it is at that moment, and a 401 ends the sign-in.
 * Unlike calls it sends cookies, with the token against forged requests where an outside server has set one.
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
    const forgery = csrfToken(cookies());
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Activity': 'background',
        ...(authorization ? { Authorization: authorization } : {}),
        ...(forgery ? { 'X-XSRF-TOKEN': forgery } : {}),
      },
      body: JSON.stringify(request),
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    // A late 401 for an older token says nothing about the present one.
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

/** As Laravel hands it out: in a cookie, encoded. */
function csrfToken(cookies: string): string | null {
  const found = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1];
  try {
    return found ? decodeURIComponent(found) : null;
  } catch {
    return null;
  }
}
