import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import {
  type BackupDecryption,
  type BackupEncryption,
  BackupFault,
  type Bytes,
} from '../../records/backup/ports.ts';

/**
 * Encrypts with age (https://age-encryption.org), so that a backup can be decrypted without Keyturn.
 * @param recipients public keys such as `age1…`; each of their secret keys can decrypt
 * @throws BackupFault for anything but public keys
 */
export function createAgeEncryption(recipients: readonly string[]): BackupEncryption {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new BackupFault(
        `“${recipient.slice(0, 12)}…” is not a public key of age: give the line that starts with age1.`,
      );
    }
  }
  return {
    recipients,
    encrypt: async function* (source) {
      yield* (await encrypter.encrypt(toWeb(source))) as AsyncIterable<Uint8Array>;
    },
  };
}

/**
 * Decrypts with the secret keys of a file, as `age-keygen` writes it.
 * @throws BackupFault if the file cannot be read or contains no secret key
 */
export async function createAgeDecryption(identityFile: string): Promise<BackupDecryption> {
  const content = await readFile(identityFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupFault(`The key file ${identityFile} cannot be read (${error.code}).`);
  });
  const identities = content.split(/\s*\n\s*/).filter((line) => line !== '' && !line.startsWith('#'));
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity.trim());
  } catch {
    throw noKey(identityFile);
  }
  if (identities.length === 0) throw noKey(identityFile);
  return {
    decrypt: async function* (source) {
      try {
        yield* (await decrypter.decrypt(toWeb(source))) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw toFault(error);
      }
    },
  };
}

const noKey = (file: string) =>
  new BackupFault(
    `${file} contains no secret key of age: it must have a line that starts with AGE-SECRET-KEY-.`,
  );

const toWeb = (source: Bytes) =>
  Readable.toWeb(
    Readable.from(source),
  ) as ReadableStream<Uint8Array> as globalThis.ReadableStream<Uint8Array>;

function toFault(error: unknown): unknown {
  if (error instanceof BackupFault || !(error instanceof Error)) return error;
  if (/no identity matched/.test(error.message))
    return new BackupFault('The secret key does not fit: this backup is encrypted for another one.');
  return new BackupFault(
    `A file of the backup cannot be decrypted (${error.message}): it was altered or cut off.`,
  );
}
