import { Type } from 'typebox';
import { emailPattern } from '../email-address.ts';

/* Fields of calls with which clients or staff sign in, and change how they do. */

export const Password = Type.String({ minLength: 1, maxLength: 1024 });

/** A code of an authenticator app, or a recovery code. */
export const Code = Type.String({ minLength: 1, maxLength: 40 });

export const FactorName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

/** The token in the link of an email. */
export const LinkToken = Type.String({ minLength: 1, maxLength: 200 });

export const Email = Type.String({ maxLength: 320, pattern: emailPattern });

/** The id may have 1,023 bytes; with it and its key, an attestation without certificates stays below 3,000 characters. */
const Base64Url = Type.String({ maxLength: 4_000, pattern: '^[\\w-]*$' });

/** What a browser returns for a passkey that it has made or used. The library that verifies it checks the rest. */
export const Credential = Type.Object(
  {
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal('public-key'),
    authenticatorAttachment: Type.Optional(Type.Unknown()),
    clientExtensionResults: Type.Unknown(),
    response: Type.Object(
      {
        clientDataJSON: Base64Url,
        attestationObject: Type.Optional(Base64Url),
        authenticatorData: Type.Optional(Base64Url),
        signature: Type.Optional(Base64Url),
        userHandle: Type.Optional(Base64Url),
        publicKey: Type.Optional(Base64Url),
        publicKeyAlgorithm: Type.Optional(Type.Integer()),
        transports: Type.Optional(Type.Unknown()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** Options for the browser’s credential functions, as JSON. */
export const CredentialOptions = Type.Object({ options: Type.Unknown() });
