import { safeFileName } from '@keyturn/format/safe-file-name';

/** Bytes in UTF-8. File systems allow 255, and equal names get a number. */
const maxBytes = 180;

/** Names that Windows keeps for devices, also with an extension. */
const isReserved = (name: string): boolean =>
  /^(con((in|out)\$)?|prn|aux|nul|(com|lpt)[\d¹²³])(\.|$)/i.test(name);

/**
 * Creates a function that turns the folders and name of each file into its name in an archive. Every result can be
 * unpacked on Windows, macOS and Linux, where no two results name the same file: of names that differ only in case, or in
 * how Unicode writes an accent, the later ones get a number.
 */
export function createArchiveNames(): (path: readonly string[]) => string {
  const taken = new Set<string>();
  return (path) => {
    const parts = path.map(portablePart);
    const folders = parts.slice(0, -1).join('/');
    const { stem, extension } = split(parts.at(-1) ?? '');
    for (let copy = 1; ; copy += 1) {
      const name = `${folders && `${folders}/`}${stem}${copy === 1 ? '' : ` (${copy})`}${extension}`;
      const key = comparable(name);
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
  };
}

/** Returns the same key for all names that a system without case, or with one form of accents, takes for one file. */
const comparable = (name: string): string =>
  name
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD');

/** Makes the name of one folder or file portable. */
function portablePart(sent: string): string {
  const name = safeFileName(sent.toWellFormed().normalize('NFC')).replace(/[<>:"|?*\u2028\u2029]/g, '_');
  const { stem, extension } = split(name);
  const short = `${cut(stem, maxBytes - Buffer.byteLength(extension))}${extension}`;
  // A name that starts with a dot is hidden; Windows drops dots and spaces at the end.
  const trimmed = short.replace(/^[. ]+/, '_').replace(/[. ]+$/, '');
  if (trimmed === '') return '_';
  return isReserved(trimmed) ? `_${trimmed}` : trimmed;
}

function split(name: string): { stem: string; extension: string } {
  const [extension = ''] = /(?<=.)\.[^. ]{1,16}$/u.exec(name) ?? [];
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** Shortens text to a number of bytes without dividing a character. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let short = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    used += Buffer.byteLength(segment);
    if (used > bytes) break;
    short += segment;
  }
  return short;
}
