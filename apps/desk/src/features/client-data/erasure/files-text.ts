import type { ErasureRecord } from '@keyturn/contract/staff';
import { counted } from '../retention-text.ts';

/** Describes what has happened to the files of an erased client, and what still will. */
export function describeFiles({ waiting, removed, kept }: ErasureRecord['files']): string {
  const all = waiting + removed + kept;
  if (all === 0) return 'There were no files to remove.';
  const sentences = [
    waiting > 0 &&
      `${waiting < all ? `${waiting.toLocaleString('en-GB')} of ` : ''}${counted(all, 'file')} still ${waiting === 1 ? 'has' : 'have'} to be removed from the document store. The server does that within an hour, and tries again every hour if the store does not answer. This page shows when it is done.`,
    waiting === 0 &&
      removed > 0 &&
      `${counted(removed, 'file')} ${removed === 1 ? 'has' : 'have'} been removed from the document store.`,
    kept > 0 &&
      `${counted(kept, 'file')} ${kept === 1 ? 'was' : 'were'} kept, because ${kept === 1 ? 'another record has' : 'other records have'} the same content.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
