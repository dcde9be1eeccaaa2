import type { App } from '../auth/signatures.ts';
import { closeCodes } from './close-codes.ts';

/**
 * Reads the address that a client connects to: `/app/{key}?protocol=7&client=js&version=8.6.0`. Only protocol 7 is
 * spoken here.
 *
 * @param address path and query, without a prefix of the caller's
 * @returns undefined when the client may go on. A fault is for after the handshake (complete the upgrade, send
 *   `errorFrame`, close): before it a browser learns no code, and would come back for ever.
 */
export function findConnectError(app: App, address: string): { code: number; message: string } | undefined {
  const question = address.indexOf('?');
  const path = question < 0 ? address : address.slice(0, question);
  const key = /^\/app\/([^/]+)\/?$/.exec(path)?.[1];
  if (key === undefined) return { code: closeCodes.unknownPath, message: 'Connect to /app/{key}.' };
  if (key !== app.key) return { code: closeCodes.unknownApp, message: 'The app key is not known.' };
  const protocol = new URLSearchParams(question < 0 ? '' : address.slice(question + 1)).get('protocol');
  if (protocol === null || protocol === '') {
    return { code: closeCodes.noProtocolVersion, message: 'Name the protocol: protocol=7.' };
  }
  if (!/^\d{1,3}$/.test(protocol)) {
    return { code: closeCodes.badProtocolVersion, message: 'The protocol must be a number.' };
  }
  if (Number(protocol) !== 7) {
    return { code: closeCodes.unsupportedProtocol, message: 'Only protocol 7 is spoken here.' };
  }
  return undefined;
}

/**
 * Whether a page of this origin may connect. Whole origins are compared: `https://a.example` does not let in
 * `https://a.example.evil.test`, nor `http://a.example`.
 *
 * @param origin the Origin header
 * @param withoutOrigin whether clients that send none, which are no browsers, are let in
 */
export function isAllowedOrigin(
  origin: string | undefined,
  allowed: readonly string[],
  withoutOrigin: boolean,
): boolean {
  return origin === undefined ? withoutOrigin : allowed.includes(origin);
}
