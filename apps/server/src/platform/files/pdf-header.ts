import { isUtf8 } from 'node:buffer';

// cspell:ignore startxref

/**
 * Tells whether a file is a PDF. Mail gateways and scanners write other bytes before a PDF. Readers look for its header in
 * the first 1,024 bytes. A file that is also a program, an archive or a web page is none.
 */
export function hasPdfHeader(content: Buffer): boolean {
  const start = content.subarray(0, 1_024).toString('latin1');
  return start.includes('%PDF-') && !/^(?:MZ|PK|\x7fELF|\s*<)/.test(start);
}

/**
 * Tells whether a PDF was sent as text, which replaces bytes of its compressed pages: they are shown blank, wholly or in part. It
 * is true only for changes that no program makes that writes or repairs PDFs.
 */
export const wasSentAsText = (content: Buffer): boolean =>
  hasChangedCharacters(content) || hasChangedLineEnds(content);

/**
 * Whether bytes that are no characters have become U+FFFD, or bytes from 128 to 159 the characters with these numbers. An intact
 * PDF with compressed pages is not valid UTF-8.
 */
const hasChangedCharacters = (content: Buffer) =>
  isUtf8(content) && (content.includes('\uFFFD') || /\xc2[\x80-\x9f]/.test(content.toString('latin1')));

/**
 * Whether each line feed has become a carriage return and a line feed, in pages too. Compressed bytes have single line feeds, so a
 * file without any is changed if its cross-reference table is no longer where the file says.
 */
function hasChangedLineEnds(content: Buffer): boolean {
  if (!hasPdfHeader(content) || !content.includes('\r\n') || hasSingleLineFeed(content)) return false;
  const text = content.toString('latin1');
  if (pointsAtReferences(text)) return false;
  const compressed = text.replaceAll(/[\0-\x7f]/g, '').length;
  // The pages of a file with few such bytes can be intact. Other programs that write a wrong place exist, so it has to be the right one
  // before the change.
  return compressed > 2_000 || (compressed > 16 && pointsAtReferences(text.replaceAll('\r\n', '\n')));
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

function hasSingleLineFeed(content: Buffer): boolean {
  for (let at = content.indexOf(lineFeed); at >= 0; at = content.indexOf(lineFeed, at + 1))
    if (content[at - 1] !== carriageReturn) return true;
  return false;
}

/** Whether a PDF says correctly where its last cross-reference table is, from the start of the file or of the PDF. */
function pointsAtReferences(text: string): boolean {
  const [, digits] = /^startxref\s+(\d{1,12})\b/.exec(text.slice(text.lastIndexOf('startxref'))) ?? [];
  if (digits === undefined) return false;
  return [0, text.indexOf('%PDF-')].some((start) => {
    const place = start + Number(digits);
    return /^\s*(?:xref\b|\d+ \d+ obj\b)/.test(text.slice(place, place + 32));
  });
}
