import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs messages with a key that only the servers of the installation have: everyone who can connect to Redis can
 * publish on its channels.
 */
export interface MessageSigner {
  sign(channel: string, text: string): string;
  /** @returns the signed text; undefined if the signature is missing, wrong or of another channel */
  read(channel: string, signed: string): string | undefined;
}

export function createMessageSigner(key: string): MessageSigner {
  const signatureOf = (channel: string, text: string) =>
    createHmac('sha256', key).update(`${channel}\n${text}`).digest('base64url').slice(0, signatureLength);
  return {
    sign: (channel, text) => signatureOf(channel, text) + text,
    read: (channel, signed) => {
      const text = signed.slice(signatureLength);
      const given = Buffer.from(signed.slice(0, signatureLength));
      const expected = Buffer.from(signatureOf(channel, text));
      return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined;
    },
  };
}

/** 128 bits. */
const signatureLength = 22;
