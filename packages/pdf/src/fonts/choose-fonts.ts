import type { FontFace, FontFile, FontLibrary, FontWeight } from './font-library.ts';

/** Text to draw in one font. Null is a space, which uses the font of the preceding text. */
export interface FontRun {
  font: FontFile | null;
  text: string;
}

/**
 * Chooses fonts for a character: one font for the whole character, or for an equivalent form of it, or one for each of
 * its code points. Code points without a font become U+FFFD.
 */
export function chooseFonts(
  fonts: FontLibrary,
  style: { face: FontFace; weight: FontWeight },
  character: string,
): FontRun[] {
  if (/^\p{Zs}+$/u.test(character) && character !== '\u{3000}') return [{ font: null, text: ' ' }];
  const query = {
    face: style.face,
    weight: style.weight,
    emojiFirst: /\u{fe0f}|\p{Emoji_Presentation}/u.test(character),
  };
  const findWhole = (text: string): FontRun | null => {
    const font = fonts.find(query, codePointsOf(text.replace(invisible, '')));
    // Keep joiners and variation selectors only if the font has them: otherwise they would appear as boxes.
    return font && { font, text: [...text].filter((part) => font.covers.has(codePointOf(part))).join('') };
  };
  if (character.replace(invisible, '') === '') return [];
  for (const form of [character, character.normalize('NFD'), character.normalize('NFKC')]) {
    const found = findWhole(form);
    if (found) return [found];
  }
  const replacement = fonts.find(query, [0xfffd]);
  return [...character].flatMap((part) => {
    if (part.replace(invisible, '') === '') return [];
    const found = findWhole(part) ?? findWhole(part.normalize('NFKC'));
    return found ?? (replacement ? { font: replacement, text: '\u{fffd}' } : []);
  });
}

/** Joiners, variation selectors, bidirectional marks and soft hyphens, which only affect their neighbours. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

const codePointOf = (part: string) => part.codePointAt(0) ?? 0;
const codePointsOf = (text: string) => Array.from(text, codePointOf);
