import {
  type CaseDocument,
  isSignedOnPaper,
  type Matter,
  type MatterType,
  signedFileName,
} from '@keyturn/contract';
import { formatFileSize } from '@keyturn/format/file-size';
import { joinNames } from '@keyturn/format/join-names';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { propertyName } from '@keyturn/format/property-names';

/** The facts of the file on the screen: the document's own file or its signed copy. */
export type ShownFile = Pick<CaseDocument, 'media_type' | 'pages' | 'size'>;

/** Describes a file in a few words: "PDF, 2 pages, 10 KB" or "Image, 1.2 MB". */
export function fileSummary({ media_type, pages, size }: ShownFile): string {
  const kind = media_type === 'application/pdf' ? 'PDF' : 'Image';
  const length = pages !== null && kind === 'PDF' ? `${pages} ${pages === 1 ? 'page' : 'pages'}` : null;
  return [kind, length, formatFileSize(size)].filter(Boolean).join(', ');
}

/**
 * Returns the name under which a file is downloaded. The signed copy is recognised by its size: it is always larger
 * than the file that was signed.
 */
export const downloadName = (
  { file_name, size }: Pick<CaseDocument, 'file_name' | 'size'>,
  file: { size: number },
): string => (file.size === size ? file_name : signedFileName(file_name));

/** The label of the sign button: "Sign the contract for the sale of 14 Alder Row". Quotes a title that reads badly after "the". */
export function signButtonLabel(title: string): string {
  if (/^(?:our|your|my|the|an?|what|how|why|who)\b/i.test(title)) return `Sign “${title}”`;
  // Only an ordinary word loses its capital: "TR1" and other abbreviations keep theirs.
  const isWord = /^\p{Lu}(?:\p{Ll}|\s)/u.test(title);
  return `Sign the ${isWord ? title.charAt(0).toLowerCase() + title.slice(1) : title}`;
}

/** The signature status of a document in a list; null when it needs no signature. */
export function signatureStatus(
  signature: CaseDocument['signature'],
): { tone: 'to-do' | 'good' | 'moving'; label: string } | null {
  if (!signature) return null;
  const { signing, required, received_on, original_received_on, signed_at, others } = signature;
  if (isSignedOnPaper(signing)) {
    if (received_on !== null) return { tone: 'good', label: 'Received signed' };
    if (original_received_on) return { tone: 'moving', label: 'Your original received' };
    return required ? { tone: 'to-do', label: 'To sign on paper' } : null;
  }
  if (required) return { tone: 'to-do', label: 'To sign' };
  if (others.some((other) => other.signed_at === null)) {
    return { tone: 'moving', label: signed_at ? 'Signed by you' : 'Being signed' };
  }
  return signed_at || others.length > 0 ? { tone: 'good', label: 'Signed' } : null;
}

/** Names all matters of one type by their properties: "Sale of 14 Alder Row". */
export function matterTitle(matterType: MatterType, matters: Matter[]): string {
  const homes = matters
    .filter(({ matter_type }) => matter_type === matterType)
    .map(({ property }) => propertyName(property));
  return homes.length === 0
    ? matterTypeNames[matterType]
    : `${matterTypeNames[matterType]} of ${joinNames(homes)}`;
}
