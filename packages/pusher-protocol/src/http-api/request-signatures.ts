import { createHash } from 'node:crypto';
import { type App, hmac, signaturesMatch } from '../auth/signatures.ts';

export interface HttpApiRequest {
  /** Upper case. */
  method: string;
  /** As sent, still percent-encoded: `/apps/42/events`. A prefix in front of `/apps` is the caller's to take off. */
  path: string;
  /** What follows the `?`, as sent. */
  query: string;
  /** The bytes as they came, before any decoding. */
  body: Uint8Array;
}

/**
 * The query of a signed request to the HTTP API of any server of the protocol.
 *
 * MD5 is what the protocol asks for; the HMAC-SHA256 over it is what protects the body.
 *
 * @param parameters further parameters, not encoded
 * @param now milliseconds since 1970
 * @returns the query, encoded
 */
export function signHttpRequest(
  app: App,
  request: { method: string; path: string; parameters?: Record<string, string>; body?: Uint8Array },
  now: number,
): string {
  const parameters = new Map(Object.entries(request.parameters ?? {}));
  parameters.set('auth_key', app.key);
  parameters.set('auth_timestamp', String(Math.floor(now / 1000)));
  parameters.set('auth_version', '1.0');
  if (request.body && request.body.length > 0) parameters.set('body_md5', md5(request.body));
  parameters.set('auth_signature', hmac(app, signedText(request.method, request.path, parameters)));
  return new URLSearchParams([...parameters]).toString();
}

/**
 * Whether a request to our HTTP API is signed by this app, lately, and as it came.
 *
 * @param now milliseconds since 1970
 * @returns the checked parameters of the query, or why the request is refused
 */
export function verifyHttpRequest(
  app: App,
  request: HttpApiRequest,
  now: number,
  ageSeconds: number,
): { parameters: Map<string, string> } | { fault: string } {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(request.query)) {
    if (parameters.has(name)) return { fault: 'A parameter is there twice.' };
    parameters.set(name, value);
  }
  if (parameters.get('auth_key') !== app.key) return { fault: 'The auth_key is not known.' };
  if (parameters.get('auth_version') !== '1.0') return { fault: 'The auth_version must be 1.0.' };
  const timestamp = parameters.get('auth_timestamp') ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return { fault: 'The auth_timestamp must be in seconds.' };
  const signature = parameters.get('auth_signature') ?? '';
  if (!signaturesMatch(signature, hmac(app, signedText(request.method, request.path, parameters)))) {
    return { fault: 'The auth_signature is wrong.' };
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > ageSeconds) {
    return { fault: `The auth_timestamp is more than ${ageSeconds} seconds from the time here.` };
  }
  const hash = parameters.get('body_md5');
  if (hash === undefined ? request.body.length > 0 : hash !== md5(request.body)) {
    return { fault: 'The body_md5 is not that of the body.' };
  }
  return { parameters };
}

/** What is signed: the values as they are, not as the address encodes them, sorted by their names. */
function signedText(method: string, path: string, parameters: Map<string, string>): string {
  const query = [...parameters]
    .filter(([name]) => name !== 'auth_signature')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return `${method}\n${path}\n${query}`;
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}
