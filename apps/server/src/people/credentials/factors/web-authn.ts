/*
 * The library of passkeys, for `loadWebAuthn`. Both of its entries come from one module, because the build would otherwise
 * run what they share before the polyfill that it needs.
 */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
