import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SoftwareAuthenticator {
  /** Makes a passkey for registration options, as a browser returns it. */
  register(options: object, overrides?: Overrides): object;
  /** Signs the challenge of authentication options. */
  authenticate(options: object, overrides?: Overrides): object;
}

/** Deliberate errors of a test. */
interface Overrides {
  origin?: string;
  /** Whether the authenticator has checked a fingerprint or PIN. */
  isVerified?: boolean;
  /** Makes the CBOR of the attestation’s format and statement for the bytes that it signs; `none` by default. */
  attest?: (signed: Buffer) => Buffer;
  /** Null if the authenticator omits it. */
  userHandle?: string | null;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

/**
 * Creates an authenticator with one ES256 passkey, for tests without a browser.
 * @param options.idLength the length of the passkey’s id, in bytes
 */
export function createSoftwareAuthenticator(
  siteOrigin: string,
  {
    counts = true,
    idLength = 32,
    transports = ['internal'],
  }: { counts?: boolean; idLength?: number; transports?: unknown } = {},
): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(idLength);
  const id = credentialId.toString('base64url');
  let counter = 0;
  let storedHandle = '';
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (rpId: string, flags: number, attested = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    // Passkeys that are synchronised between devices do not count their uses.
    if (counts) count.writeUInt32BE(++counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count, attested]);
  };
  const credential = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    register: (options, { origin = siteOrigin, isVerified = true, attest = () => noStatement } = {}) => {
      const { challenge, rp, user } = options as CreationOptions;
      storedHandle = user.id;
      const client = clientData('webauthn.create', challenge, origin);
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key]);
      const data = authenticatorData(rp.id, isVerified ? 0x45 : 0x41, attested);
      const dataLength = Buffer.alloc(2);
      dataLength.writeUInt16BE(data.length);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        attest(Buffer.concat([data, sha256(client)])),
        Buffer.from('hauthData'),
        Buffer.from([0x59]),
        dataLength,
        data,
      ]);
      return credential({
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports,
      });
    },
    authenticate: (options, { origin = siteOrigin, isVerified = true, userHandle = storedHandle } = {}) => {
      const { challenge, rpId } = options as { challenge: string; rpId: string };
      const client = clientData('webauthn.get', challenge, origin);
      const data = authenticatorData(rpId, isVerified ? 0x05 : 0x01);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle === null ? {} : { userHandle }),
      });
    },
  };
}

// cspell:disable-next-line
const noStatement = Buffer.from('cfmtdnonegattStmt\xa0', 'latin1');

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
