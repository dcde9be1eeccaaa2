import {
  type CaseDocument,
  type Matter,
  type MatterType,
  type Property,
  signedFileName,
} from '@keyturn/contract';

/** What a reader has of a document: its own file, or the signed copy. */
export type ShownFile = Pick<CaseDocument, 'media_type' | 'pages' | 'size'>;

/** "PDF, 2 pages, 10 KB"; "Image, 1.2 MB" */
export function fileWords({ media_type, pages, size }: ShownFile): string {
  const kind = media_type === 'application/pdf' ? 'PDF' : 'Image';
  const length = pages !== null && kind === 'PDF' ? `${pages} ${pages === 1 ? 'page' : 'pages'}` : null;
  return [kind, length, sizeWords(size)].filter(Boolean).join(', ');
}

/** What it is saved as. The signed copy, which is longer than the file that was signed, has a name of its own. */
export const fileNameOf = (
  { file_name, size }: Pick<CaseDocument, 'file_name' | 'size'>,
  file: { size: number },
): string => (file.size === size ? file_name : signedFileName(file_name));

/** Bytes as people read them: "640 bytes", "10 KB", "1.2 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1).replace(/\.0$/, '')} MB`;
}

/** "Sign the contract for the sale of 14 Alder Row"; a title that no "the" goes with is quoted. */
export function signWords(title: string): string {
  if (/^(?:our|your|my|the|an?|what|how|why|who)\b/i.test(title)) return `Sign “${title}”`;
  // TR1 and other abbreviations stay as they are, and so does whatever does not begin with a capital.
  const isWord = /^\p{Lu}(?:\p{Ll}|\s)/u.test(title);
  return `Sign the ${isWord ? title.charAt(0).toLowerCase() + title.slice(1) : title}`;
}

/** Whose signature a document has or waits for; null where none is asked for. */
export function signatureWords(
  signature: CaseDocument['signature'],
): { tone: 'to-do' | 'good' | 'moving'; words: string } | null {
  if (!signature) return null;
  if (signature.required) return { tone: 'to-do', words: 'To sign' };
  const awaited = signature.others.filter(({ signed_at }) => signed_at === null).length;
  if (awaited === 0) return { tone: 'good', words: 'Signed' };
  return { tone: 'moving', words: signature.signed_at ? 'Signed by you' : 'Being signed' };
}

/** "Tom Okafor and Grace Okafor" */
export function listNames(names: string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** "Sale of 14 Alder Row"; of several matters of a kind, all their homes. */
export function matterWords(matterType: MatterType, matters: Matter[]): string {
  const homes = matters
    .filter(({ matter_type }) => matter_type === matterType)
    .map(({ property }) => homeOf(property));
  return homes.length === 0 ? kinds[matterType] : `${kinds[matterType]} of ${listNames(homes)}`;
}

/** "sale", "transfer of equity": in a sentence. */
export const matterKind = (matterType: MatterType): string => kinds[matterType].toLowerCase();

const kinds: Record<MatterType, string> = {
  sale: 'Sale',
  purchase: 'Purchase',
  remortgage: 'Remortgage',
  'transfer-of-equity': 'Transfer of equity',
};

function homeOf({ address_lines: [first = '', second], town }: Property): string {
  const isPart = /^(flat|apartment|apt|unit|studio|room|plot|\d+[a-z]?$)\b/i.test(first.trim());
  return [first || town, ...(isPart && second ? [second] : [])].join(', ');
}
