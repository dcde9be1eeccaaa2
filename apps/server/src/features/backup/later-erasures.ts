import { type BackupManifest, parseManifest } from './manifest.ts';
import type { BackupFolder, ErasedSubject } from './ports.ts';

/**
 * Finds the subjects erased after a backup was made, as listed by later backups in the same folder. Skips unreadable
 * manifests.
 */
export async function findLaterErasures(
  folder: BackupFolder,
  { installationId, takenAt, erased = [] }: BackupManifest,
): Promise<ErasedSubject[]> {
  const known = new Set(erased.map(({ id }) => id));
  const later = new Map<string, ErasedSubject>();
  for (const name of await folder.list()) {
    const manifest = await folder
      .readManifest(name)
      .then(parseManifest)
      .catch(() => null);
    if (manifest?.installationId !== installationId || manifest.takenAt <= takenAt) continue;
    for (const subject of manifest.erased ?? []) if (!known.has(subject.id)) later.set(subject.id, subject);
  }
  return [...later.values()];
}
