import { isUtf8 } from 'node:buffer';
import { DomainError } from '../../../platform/domain-error.ts';

/** Thrown for a file that cannot be read as a spreadsheet. @param message the reason, and what to do */
export const unreadable = (message: string) => new DomainError('spreadsheet_unreadable', { message });

/**
 * Decodes a CSV file: UTF-8, UTF-16 with a byte order mark, or Windows-1252, in which Excel saves CSV files.
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
  if (isUtf8(content)) return new TextDecoder().decode(content);
  // Some versions of Node.js decode windows-1252 as Latin-1, which differs in these characters.
  return content
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character);
}

/** The characters 0x80 to 0x9F of Windows-1252. Five are not defined. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

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
