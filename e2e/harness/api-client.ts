import { demonstrationPassword } from './browser.ts';

/** What a call came to: an answer, or nothing that tells (the server may have died under it). */
export type Outcome = { status: number; body: unknown } | 'unknown';

export interface ApiClient {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Outcome>;
}

/** Signs in by the API and goes on with the token. `url` is asked anew each time: a restart may move it. */
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

/** @throws Error when the server does not take the password of the demonstration */
export async function signInForToken(url: string, email: string): Promise<string> {
  const answer = await sendRequest(url, '/login', { body: { email, password: demonstrationPassword } });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).data.access_token;
}

export interface RequestOptions {
  /** Without one: GET, or POST where there is a body. */
  method?: string | undefined;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** One request to the API, and its answer as it comes. */
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
