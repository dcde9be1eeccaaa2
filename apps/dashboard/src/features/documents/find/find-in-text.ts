/** A match in a page’s text pieces, from a character of one piece to before a character of the same or a later one. */
export interface TextMatch {
  from: { piece: number; offset: number };
  to: { piece: number; offset: number };
}

/** A piece of a page’s text, as pdf.js returns it. */
export interface TextPiece {
  str: string;
  hasEOL: boolean;
}

/** Finds all matches of a query in a page’s text, ignoring case, accents and line breaks. Matches do not overlap. */
export function findInText(pieces: readonly TextPiece[], query: string): TextMatch[] {
  const searchText = normalise(query.trim()).replaceAll(/\s+/gu, ' ');
  if (searchText === '') return [];
  const { text, positions } = searchableText(pieces);
  const found: TextMatch[] = [];
  for (
    let index = text.indexOf(searchText);
    index !== -1;
    index = text.indexOf(searchText, index + searchText.length)
  ) {
    const from = positions[index];
    const last = positions[index + searchText.length - 1];
    if (from && last) {
      found.push({
        from: { piece: from.piece, offset: from.offset },
        to: { piece: last.piece, offset: last.offset + last.length },
      });
    }
  }
  return found;
}

interface Position {
  piece: number;
  offset: number;
  /** UTF-16 code units of the character in its piece: 1 or 2. */
  length: number;
}

/** Joins the pieces to normalised text with single spaces, and records the position of every character. */
function searchableText(pieces: readonly TextPiece[]) {
  let text = '';
  const positions: Position[] = [];
  const append = (characters: string, position: Position) => {
    for (const character of characters) {
      const isSpace = /\s/u.test(character);
      if (isSpace && (text === '' || text.endsWith(' '))) continue;
      const appended = isSpace ? ' ' : character;
      text += appended;
      for (let unit = 0; unit < appended.length; unit += 1) positions.push(position);
    }
  };
  for (const [piece, { str, hasEOL }] of pieces.entries()) {
    let offset = 0;
    for (const character of str) {
      append(normalise(character), { piece, offset, length: character.length });
      offset += character.length;
    }
    if (!hasEOL) continue;
    // Joins a word that is hyphenated at the end of a line.
    if (/\p{Ll}-$/u.test(str) && /^\p{Ll}/u.test(nextText(pieces, piece))) {
      text = text.slice(0, -1);
      positions.pop();
    } else {
      append(' ', { piece, offset, length: 0 });
    }
  }
  return { text, positions };
}

const nextText = (pieces: readonly TextPiece[], piece: number) =>
  pieces.slice(piece + 1).find(({ str }) => str !== '')?.str ?? '';

/** Removes case and accents, and replaces typographic quotation marks and dashes with plain ones. */
const normalise = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’‛′]/gu, "'")
    .replaceAll(/[“”„″]/gu, '"')
    .replaceAll(/[‐-―−]/gu, '-')
    .toLowerCase();
