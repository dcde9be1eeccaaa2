import { createHmac } from 'node:crypto';

/**
 * Derives the key for the names of encrypted documents from the secret of the installation. Other public keys lead to other
 * names: a document that only an earlier key can decrypt must not count as known.
 */
export const documentNameKey = (secret: string, recipients: readonly string[]): string => {
  const purpose = ['keyturn-backup/document-names', ...[...new Set(recipients)].sort()].join('\n');
  return createHmac('sha256', secret).update(purpose).digest('hex');
};

/**
 * Returns the name under which a backup stores a document. The SHA-256 of an encrypted document is not its name, because
 * it would tell a reader of the folder whether the firm has a file that they know.
 */
export const documentName = (sha256: string, nameKey: string | null): string =>
  nameKey === null
    ? sha256
    : `${createHmac('sha256', Buffer.from(nameKey, 'hex')).update(sha256).digest('hex')}.age`;
