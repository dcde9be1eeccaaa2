import { hash } from 'node:crypto';
import { type App, hmac, signaturesMatch } from '../auth/signatures.ts';

export interface HttpApiRequest {
  /** Upper case. */
  method: string;
  /** Still percent-encoded: `/apps/42/events`. The caller removes any prefix before `/apps`. */
  path: string;
  /** The text after the `?`, not decoded. */
  query: string;
  /** The raw bytes. */
  body: Uint8Array;
}

/**
 * Builds the signed query of a request to the HTTP API of any Pusher-compatible server.
 *
 * The protocol requires MD5 for the body; the HMAC-SHA256 over it provides the protection.
 *
 * @param request.parameters further parameters, not encoded
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
 * Verifies the signature, the age and the body of a request to the HTTP API.
 *
 * @param now milliseconds since 1970
 * @returns the verified parameters of the query, or the reason for the rejection
 */
export function verifyHttpRequest(
  app: App,
  request: HttpApiRequest,
  now: number,
  maxAgeSeconds: number,
): { parameters: Map<string, string> } | { error: string } {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(request.query)) {
    if (parameters.has(name)) return { error: 'A parameter occurs more than once.' };
    parameters.set(name, value);
  }
  if (parameters.get('auth_key') !== app.key) return { error: 'The auth_key is unknown.' };
  if (parameters.get('auth_version') !== '1.0') return { error: 'The auth_version must be 1.0.' };
  const timestamp = parameters.get('auth_timestamp') ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return { error: 'The auth_timestamp must be a number of seconds.' };
  const signature = parameters.get('auth_signature') ?? '';
  if (!signaturesMatch(signature, hmac(app, signedText(request.method, request.path, parameters)))) {
    return { error: 'The auth_signature is wrong.' };
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > maxAgeSeconds) {
    return {
      error: `The auth_timestamp differs from the server time by more than ${maxAgeSeconds} seconds.`,
    };
  }
  const bodyHash = parameters.get('body_md5');
  if (bodyHash === undefined ? request.body.length > 0 : bodyHash !== md5(request.body)) {
    return { error: 'The body_md5 does not match the body.' };
  }
  return { parameters };
}

/** Builds the text to sign: decoded parameters, sorted by name. */
function signedText(method: string, path: string, parameters: Map<string, string>): string {
  const query = [...parameters]
    .filter(([name]) => name !== 'auth_signature')
    .sort(([nameA], [nameB]) => (nameA < nameB ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return `${method}\n${path}\n${query}`;
}

function md5(bytes: Uint8Array): string {
  return hash('md5', bytes);
}
