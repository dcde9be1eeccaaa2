import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HighWaterMark } from '../../payments/ports/high-water-mark.ts';

/**
 * Creates the high-water mark that a server keeps in a file outside the database. A missing or damaged file counts as
 * none, as on a new server.
 */
export const createHighWaterMarkFile = (path: string): HighWaterMark => ({
  read: async (installationId) => {
    try {
      const stored: unknown = JSON.parse(await readFile(path, 'utf8'));
      return isStored(stored) && stored.installationId === installationId ? stored.rounds : null;
    } catch {
      return null;
    }
  },
  write: async (installationId, rounds) => {
    await mkdir(dirname(path), { recursive: true });
    // In containers that share a data directory, servers have the same process id.
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    await writeFile(draft, `${JSON.stringify({ installationId, rounds })}\n`, { mode: 0o600 });
    await rename(draft, path);
  },
});

const isStored = (value: unknown): value is { installationId: string; rounds: number } =>
  typeof value === 'object' &&
  value !== null &&
  'installationId' in value &&
  'rounds' in value &&
  Number.isSafeInteger(value.rounds);
