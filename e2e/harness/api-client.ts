import type { AccessToken } from '@keyturn/contract';

export const demonstrationPassword = 'turn-the-key-2026';

/** The response to a call, or `unknown` where none arrived (the server may have died). */
export type Outcome = { status: number; body: unknown } | 'unknown';

export interface ApiClient {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Outcome>;
}

/**
 * Signs in and returns a client for authenticated calls. `url` is read for each call, because a restart can change it.
 */
export async function signInToApi(url: () => string, email: string): Promise<ApiClient> {
  const token = await signInForToken(url(), email);
  return {
    async call(method, path, body, headers) {
      try {
        const response = await sendRequest(url(), path, { method, token, body, headers });
        const text = await response.text();
        return { status: response.status, body: text === '' ? null : JSON.parse(text) };
      } catch {
        return 'unknown';
      }
    },
  };
}

/** @throws Error when the server rejects the demonstration's password */
export const signInForToken = async (url: string, email: string): Promise<string> =>
  (await fetchAccessToken(url, email)).access_token;

/** @throws Error when the server rejects the demonstration's password */
export async function fetchAccessToken(url: string, email: string): Promise<AccessToken> {
  const answer = await logIn(url, email);
  return (await answer.json()).data;
}

/**
 * Signs in as the dashboard does.
 * @returns the answer, and the cookie without which its token is not accepted
 * @throws Error when the server rejects the demonstration's password
 */
export async function startCookieSession(url: string, email: string) {
  const answer = await logIn(url, email, { 'sec-fetch-site': 'same-origin' });
  const cookie = answer.headers.getSetCookie().find((set) => set.includes('keyturn-session-')) ?? '';
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
  const token: AccessToken = (await answer.json()).data;
  return { token, cookie: { name, value } };
}

async function logIn(url: string, email: string, headers?: Record<string, string>): Promise<Response> {
  const body = { email, password: demonstrationPassword };
  const answer = await sendRequest(url, '/login', { body, headers });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`);
  return answer;
}

export interface RequestOptions {
  /** By default GET, or POST with a body. */
  method?: string | undefined;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** Sends one request to the API. */
export function sendRequest(
  url: string,
  path: string,
  { method, token, body, headers }: RequestOptions = {},
): Promise<Response> {
  return fetch(`${url}/api${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
