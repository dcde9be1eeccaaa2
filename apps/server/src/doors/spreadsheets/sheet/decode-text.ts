import { isUtf8 } from 'node:buffer';
import { type SpreadsheetEncoding, spreadsheetEncodings } from '@keyturn/contract/staff';
import { DomainError } from '../../../platform/domain-error.ts';

// cspell:ignore Çüéâäàåçêëèïîì Æôöòûùÿ ƒáíóúñ

/** Thrown for a file that cannot be read as a spreadsheet. @param message the reason, and what to do */
export const unreadable = (message: string, errors?: Record<string, string[]>) =>
  new DomainError('spreadsheet_unreadable', { message, ...(errors ? { errors } : {}) });

/**
 * Decodes a CSV file: UTF-8, UTF-16, or one of the encodings in which Excel saves CSV files on Windows, a Mac or in the
 * format “MS-DOS”, whichever gives words.
 * @throws DomainError `spreadsheet_unreadable` for a file of another kind
 */
export function decodeText(content: Buffer): string {
  if (content.length === 0) throw unreadable('This file is empty. Choose another file.');
  refuseOtherFormats(content);
  const text = decode(content);
  if (text.includes('\0'))
    throw unreadable('This file isn’t text. Save the spreadsheet as CSV, and choose that file.');
  return text;
}

function decode(content: Buffer): string {
  if (content[0] === 0xff && content[1] === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (content[0] === 0xfe && content[1] === 0xff) return new TextDecoder('utf-16be').decode(content);
  if (hasZeros(content, 1)) return new TextDecoder('utf-16le').decode(content);
  if (hasZeros(content, 0)) return new TextDecoder('utf-16be').decode(content);
  if (isUtf8(content)) return new TextDecoder().decode(content);
  refuseStrayBytes(content);
  return decodeBytes(content);
}

/**
 * Whether every second byte of the first row is zero, as in UTF-16 without a byte order mark: headings are ASCII.
 * @param offset of the zeros
 */
function hasZeros(content: Buffer, offset: 0 | 1): boolean {
  const start = content.subarray(0, 32);
  return start.length >= 4 && start.every((byte, index) => (byte === 0) === (index % 2 === offset));
}

/** Decodes a file by the encoding that a member has chosen for it. */
export const decodeAs = (content: Buffer, encoding: SpreadsheetEncoding): string =>
  decodeWith(content.toString('latin1'), encoding);

const decodeWith = (latin: string, encoding: SpreadsheetEncoding): string =>
  latin.replaceAll(/[\u0080-\u00ff]/g, (byte) => encodings[encoding][byte.charCodeAt(0) - 0x80] ?? byte);

/** @throws DomainError for a text that is UTF-8 in some places and not in others, which no other encoding is */
function refuseStrayBytes(content: Buffer): void {
  const text = content.toString('utf8');
  if ((text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0) <= (text.match(/\ufffd/g)?.length ?? 0)) return;
  const row = text.slice(0, text.indexOf('\ufffd')).split(/\r\n|\n|\r/).length;
  throw unreadable(
    `A character in row ${row} is damaged: the file is UTF-8, but this character isn’t. Enter the row again, and save the file as “CSV UTF-8 (comma delimited)”.`,
  );
}

/**
 * Decodes a text with one byte for each character by the encoding in which its letters are most like words. Windows-1252 is
 * by far the most frequent, so that it is the answer unless another is clearly better.
 * @throws DomainError with what each encoding would read, if none gives words
 */
function decodeBytes(content: Buffer): string {
  const latin = content.toString('latin1');
  const readings = spreadsheetEncodings.map((encoding) => {
    const text = decodeWith(latin, encoding);
    return { encoding, text, score: scoreOf(text) };
  });
  const [usual, ...others] = readings;
  const count = latin.match(/[\u0080-\u00ff]/g)?.length ?? 1;
  const best = others.reduce((one, other) => (other.score > one.score ? other : one));
  if (usual && (usual.score >= best.score || usual.score / count >= 0.7)) return usual.text;
  if (usual && best.score - usual.score >= 1 && best.score / count >= 0.7) return best.text;
  if (usual && usual.score / count >= 0.5) return usual.text;
  const samples = new Map<string, SpreadsheetEncoding>();
  for (const { encoding, text } of readings) {
    const sample = (/[^,;\t"\r\n]*[^\0-\x7f][^,;\t"\r\n]*/.exec(text)?.[0] ?? '').trim().slice(0, 40);
    if (!samples.has(sample)) samples.set(sample, encoding);
  }
  throw unreadable(
    `We can’t tell how this file is encoded. It could read ${[...samples.keys()].map((sample) => `“${sample}”`).join(' or ')}. Save the spreadsheet as “CSV UTF-8 (comma delimited)”, and choose the new file.`,
    Object.fromEntries([...samples].map(([sample, encoding]) => [encoding, [sample]])),
  );
}

/** How much the characters outside ASCII are like those of West European names and prices. */
function scoreOf(text: string): number {
  let score = 0;
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/g)) {
    const [before = '', after = ''] = [text[index - 1], text[index + 1]];
    const isBetween = /\p{L}/u.test(before) && /\p{L}/u.test(after);
    if (/[À-ÖØ-öø-ÿŒœŠšŽžŸ]/.test(character))
      score += /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before) ? -2 : 1;
    else if (character === '’') score += isBetween ? 1 : 0.5;
    else if ('‘“”–£€½'.includes(character)) score += isBetween ? -2 : 0.5;
    else score -= 3;
  }
  return score;
}

/** The characters 0x80 to 0x9F of Windows-1252. Five are not defined. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const bytesFrom80 = Buffer.from(Array.from({ length: 0x80 }, (_, index) => index + 0x80));

/**
 * The characters 0x80 to 0xFF of each encoding. Some versions of Node.js decode windows-1252 as Latin-1, and none knows the
 * two of MS-DOS, whose letters are the same up to 0x9A.
 */
const encodings: Record<SpreadsheetEncoding, string> = {
  'windows-1252': windows1252 + bytesFrom80.toString('latin1', 0x20),
  macintosh: new TextDecoder('macintosh').decode(bytesFrom80),
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
};

/** The first bytes of files that people confuse with CSV files. */
const otherFormats: [start: string, message: string][] = [
  [
    'PK\x03\x04',
    'This is an Excel or other workbook, even if its name ends in .csv. Open it, choose Save As, “CSV UTF-8 (comma delimited)”, and choose the new file.',
  ],
  [
    '\xd0\xcf\x11\xe0',
    'This is an older Excel workbook. Open it, choose Save As, “CSV UTF-8 (comma delimited)”, and choose the new file.',
  ],
  ['%PDF', 'This is a PDF. Open the spreadsheet that it was made from, and save it as CSV.'],
  ['<', 'This is a web page or an XML file. Save the spreadsheet as CSV, and choose that file.'],
  ['{', 'This is JSON. Import a case feed with keyturn import, or save the spreadsheet as CSV.'],
];

function refuseOtherFormats(content: Buffer): void {
  const start = content.toString('latin1', 0, 8).replace(/^\xef\xbb\xbf/, '');
  const found = otherFormats.find(([magic]) => start.startsWith(magic));
  if (found) throw unreadable(found[1]);
}
