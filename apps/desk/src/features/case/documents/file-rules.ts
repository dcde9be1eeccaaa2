import { documentMediaTypes } from '@keyturn/contract';

/** The kinds of files that documents can be, for a file field. */
export const acceptedFiles = documentMediaTypes.join(',');

/** The maximum number of dropped files that are not shared yet. */
export const maxFiles = 20;

/** Bytes. */
const maxFileSize = 25 * 1024 * 1024;

/** Returns the reason why a file cannot be a document; null if the server may accept it. */
export function fileFault({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!(documentMediaTypes as readonly string[]).includes(type))
    return 'Only PDF, JPEG, PNG and WebP files can be shared.';
  if (size === 0) return 'This file is empty.';
  return size > maxFileSize ? 'This file is larger than 25 MB.' : null;
}

/**
 * Separates the files that can be added from those that cannot, with the reasons.
 * @param free the number of further files that can be added
 */
export function separateFiles<F extends Pick<File, 'name' | 'type' | 'size'>>(
  dropped: readonly F[],
  free: number,
): { accepted: F[]; faults: string[] } {
  const faults: string[] = [];
  const good = dropped.filter((file) => {
    const fault = fileFault(file);
    if (fault) faults.push(`${file.name}: ${fault}`);
    return fault === null;
  });
  const accepted = good.slice(0, free);
  for (const { name } of good.slice(free)) {
    faults.push(`${name}: only ${maxFiles} files can be shared together. Share these first.`);
  }
  return { accepted, faults };
}

/** The title that a document gets from its file: “draft-contract_v2.pdf” becomes “Draft contract v2”. */
export function titleFromFile(name: string): string {
  const words = name
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? 'Document' : words.charAt(0).toUpperCase() + words.slice(1);
}
