import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreUnavailable } from '../../platform/stored-file.ts';
import type { AuditArchive } from '../../records/audit/ports.ts';
import { createS3Objects, type S3Location } from './s3-objects.ts';
import { writeIntoFolder } from './write-whole-file.ts';

/** The name of a file in the folder of an archive. While a share is not mounted, its path is a folder without it. */
const markerFile = 'keyturn-audit-archive';

/** Archives the audit log in a folder that exists, such as a network share. */
export const createFolderArchive = (folder: string): AuditArchive => ({
  kind: 'folder',
  write: async ({ name, content, isFirst }) => {
    const marker = join(folder, markerFile);
    if (isFirst)
      await writeIntoFolder(marker, Buffer.from('Keyturn archives its audit log in this folder.\n'));
    else await access(marker);
    await writeIntoFolder(join(folder, name), content);
  },
});

/** Archives the audit log in a bucket, which needs no permission but to store objects. */
export function createS3Archive({ prefix, ...location }: S3Location & { prefix: string }): AuditArchive {
  const objects = createS3Objects(location, timeouts, (reason, isRefused) => {
    throw new FileStoreUnavailable(`The archive of the audit log ${reason}`, { isRefused });
  });
  return {
    kind: 's3',
    write: async ({ name, content }) => {
      await objects.attempt(() => objects.put(`${prefix}${name}`, content));
    },
  };
}

/** Milliseconds. */
const timeouts = { connection: 5_000, answer: 30_000 };
