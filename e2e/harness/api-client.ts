import { demonstrationPassword } from './browser.ts';

/** What a call came to: an answer, or nothing that tells (the server may have died under it). */
export type Outcome = { status: number; body: unknown } | 'unknown';

export interface ApiClient {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Outcome>;
}

/** Signs in by the API and goes on with the token. `url` is asked anew each time: a restart may move it. */
export async function signInToApi(url: () => string, email: string): Promise<ApiClient> {
  let authorization: string | undefined;
  const call: ApiClient['call'] = async (method, path, body, headers = {}) => {
    try {
      const response = await fetch(`${url()}/api${path}`, {
        method,
        headers: {
          ...(authorization ? { authorization } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return 'unknown';
    }
  };
  const signedIn = await call('POST', '/login', { email, password: demonstrationPassword });
  if (signedIn === 'unknown' || signedIn.status !== 200)
    throw new Error(`sign-in failed: ${JSON.stringify(signedIn)}`);
  const { data } = signedIn.body as { data: { access_token: string; token_type: string } };
  authorization = `${data.token_type} ${data.access_token}`;
  return { call };
}
