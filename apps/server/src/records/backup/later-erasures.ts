import { type BackupManifest, parseManifest } from './manifest.ts';
import type { BackupFolder, ErasedSubject } from './ports.ts';

/** Finds the subjects erased after a backup was made, as listed by later backups in the same folder. */
export async function findLaterErasures(
  folder: BackupFolder,
  { installationId, takenAt, erased = [] }: BackupManifest,
): Promise<ErasedSubject[]> {
  const known = new Set(erased.map(({ id }) => id));
  const listed = (await findErasures(folder, installationId, takenAt)) ?? [];
  return listed.filter(({ id }) => !known.has(id));
}

/**
 * Lists the subjects that the backups of an installation name as erased. Skips unreadable manifests.
 * @param after leaves out the backups up to this moment
 * @returns null if the folder contains no such backup
 */
export async function findErasures(
  folder: BackupFolder,
  installationId: string,
  after = '',
): Promise<ErasedSubject[] | null> {
  let isFound = false;
  const found = new Map<string, ErasedSubject>();
  for (const name of await folder.list()) {
    const manifest = await folder
      .readManifest(name)
      .then(parseManifest)
      .catch(() => null);
    if (manifest?.installationId !== installationId || manifest.takenAt <= after) continue;
    isFound = true;
    for (const subject of manifest.erased ?? []) found.set(subject.id, subject);
  }
  return isFound ? [...found.values()] : null;
}
