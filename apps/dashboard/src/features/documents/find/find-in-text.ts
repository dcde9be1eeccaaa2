/** A place in the pieces of a page's text: from a character of one piece to before a character of another. */
export interface Found {
  from: { piece: number; offset: number };
  to: { piece: number; offset: number };
}

/** A piece of a page's text, as pdf.js gives it. */
export interface Piece {
  str: string;
  hasEOL: boolean;
}

/**
 * Where a query stands in a page's text, from top to bottom, whatever the case, the accents and the breaks of lines.
 * Finds do not overlap.
 */
export function findInText(pieces: readonly Piece[], query: string): Found[] {
  const wanted = simplify(query.trim());
  if (wanted === '') return [];
  const { text, places } = readable(pieces);
  const found: Found[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    const from = places[at];
    const last = places[at + wanted.length - 1];
    if (from && last) {
      found.push({
        from: { piece: from.piece, offset: from.offset },
        to: { piece: last.piece, offset: last.offset + last.length },
      });
    }
  }
  return found;
}

interface Place {
  piece: number;
  offset: number;
  /** Of the character in the piece: 2 for one outside of the basic plane. */
  length: number;
}

/** The text as it is searched, with the place of each of its characters; white space is one blank. */
function readable(pieces: readonly Piece[]) {
  let text = '';
  const places: Place[] = [];
  const add = (plain: string, place: Place) => {
    for (const character of plain) {
      const isBlank = /\s/u.test(character);
      if (isBlank && (text === '' || text.endsWith(' '))) continue;
      const written = isBlank ? ' ' : character;
      text += written;
      for (let unit = 0; unit < written.length; unit += 1) places.push(place);
    }
  };
  for (const [piece, { str, hasEOL }] of pieces.entries()) {
    let offset = 0;
    for (const character of str) {
      add(plainOf(character), { piece, offset, length: character.length });
      offset += character.length;
    }
    if (!hasEOL) continue;
    // A word that is parted at the end of a line is one word.
    if (/\p{Ll}-$/u.test(str) && /^\p{Ll}/u.test(nextText(pieces, piece))) {
      text = text.slice(0, -1);
      places.pop();
    } else {
      add(' ', { piece, offset, length: 0 });
    }
  }
  return { text, places };
}

const nextText = (pieces: readonly Piece[], piece: number) =>
  pieces.slice(piece + 1).find(({ str }) => str !== '')?.str ?? '';

const simplify = (text: string) => plainOf(text).replaceAll(/\s+/gu, ' ');

/** Without case and accents, with plain quotation marks and dashes. */
const plainOf = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’‛′]/gu, "'")
    .replaceAll(/[“”„″]/gu, '"')
    .replaceAll(/[‐-―−]/gu, '-')
    .toLowerCase();
