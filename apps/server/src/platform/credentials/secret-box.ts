import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { AccountKind } from './account-kind.ts';

/** Encrypts short secrets for the database. */
export interface SecretBox {
  /** @param context the owner of the secret, without which it cannot be decrypted */
  seal(secret: Uint8Array, context: string): Buffer;
  /** @returns null if the key differs, or the content was changed or moved */
  open(sealed: Buffer, context: string): Buffer | null;
  /** Whether a secret is encrypted with the current key, and not only with the former one. */
  isCurrent(sealed: Buffer, context: string): boolean;
}

/**
 * Creates the box for the secrets of authenticator apps: AES-256-GCM.
 * @param keyMaterial the installation's secret, and the setting that is outside the database
 * @param accountKind whose apps they are: each kind of account has another key
 * @param formerMaterial the key material before it was changed, whose secrets the box still opens
 */
export function createSecretBox(
  keyMaterial: readonly string[],
  accountKind: AccountKind,
  formerMaterial: readonly string[] | null = null,
): SecretBox {
  const key = deriveKey(keyMaterial, accountKind);
  const formerKey = formerMaterial && deriveKey(formerMaterial, accountKind);
  return {
    seal: (secret, context) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, context) =>
      decrypt(sealed, context, key) ?? (formerKey && decrypt(sealed, context, formerKey)),
    isCurrent: (sealed, context) => decrypt(sealed, context, key) !== null,
  };
}

function deriveKey(material: readonly string[], accountKind: AccountKind): Buffer {
  const purpose = `authenticator apps of ${accountKind === 'staff' ? 'staff' : 'clients'}`;
  return Buffer.from(hkdfSync('sha256', JSON.stringify(material), '', purpose, 32));
}

function decrypt(sealed: Buffer, context: string, key: Buffer): Buffer | null {
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
}

/** Bytes. */
const nonceLength = 12;
const tagLength = 16;
