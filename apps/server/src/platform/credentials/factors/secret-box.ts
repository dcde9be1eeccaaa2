import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Audience } from '../attempt-lanes.ts';

/** Encrypts short secrets for the database. */
export interface SecretBox {
  /** @param context the owner of the secret, without which it cannot be decrypted */
  seal(secret: Uint8Array, context: string): Buffer;
  /** @returns null if the key differs, or the content was changed or moved */
  open(sealed: Buffer, context: string): Buffer | null;
}

/**
 * Creates the box for the secrets of authenticator apps: AES-256-GCM.
 * @param keyMaterial the installation's secret, and the setting that is outside the database
 * @param audience whose apps they are: each audience has another key
 */
export function createSecretBox(keyMaterial: readonly string[], audience: Audience): SecretBox {
  const purpose = `authenticator apps of ${audience === 'staff' ? 'staff' : 'clients'}`;
  const key = Buffer.from(hkdfSync('sha256', JSON.stringify(keyMaterial), '', purpose, 32));
  return {
    seal: (secret, context) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, context) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), {
        authTagLength: tagLength,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-tagLength));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

/** Bytes. */
const nonceLength = 12;
const tagLength = 16;
