import type { App } from '../auth/signatures.ts';
import { closeCodes } from './close-codes.ts';

/**
 * Validates the URL that a client connects to: `/app/{key}?protocol=7&client=js&version=8.6.0`. Only protocol 7 is
 * supported.
 *
 * @param url path and query, without the caller's prefix
 * @returns undefined if the client may connect. Otherwise complete the WebSocket upgrade, send `errorFrame` and close:
 *   a browser cannot see a code from before the upgrade, and would reconnect for ever.
 */
export function findConnectError(app: App, url: string): { code: number; message: string } | undefined {
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const key = /^\/app\/([^/]+)\/?$/.exec(path)?.[1];
  if (key === undefined) return { code: closeCodes.unknownPath, message: 'Connect to /app/{key}.' };
  if (key !== app.key) return { code: closeCodes.unknownApp, message: 'Unknown app key.' };
  const protocol = new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1)).get('protocol');
  if (protocol === null || protocol === '') {
    return { code: closeCodes.noProtocolVersion, message: 'The protocol is missing: add protocol=7.' };
  }
  if (!/^\d{1,3}$/.test(protocol)) {
    return { code: closeCodes.badProtocolVersion, message: 'The protocol must be a number.' };
  }
  if (Number(protocol) !== 7) {
    return { code: closeCodes.unsupportedProtocol, message: 'Only protocol 7 is supported.' };
  }
  return undefined;
}

/**
 * Tells whether a page of this origin may connect. Compares whole origins: `https://a.example` does not allow
 * `https://a.example.evil.test` or `http://a.example`.
 *
 * @param origin the Origin header
 * @param allowMissing whether to accept clients without an Origin header, which are not browsers
 */
export function isAllowedOrigin(
  origin: string | undefined,
  allowed: readonly string[],
  allowMissing: boolean,
): boolean {
  return origin === undefined ? allowMissing : allowed.includes(origin);
}
