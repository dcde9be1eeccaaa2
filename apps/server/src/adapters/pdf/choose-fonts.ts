import type { Face, FontFile, FontShelf, Weight } from './font-shelf.ts';

/** What one character is drawn with. Without a font: a space, in the font of what stands before it. */
export interface Glyphs {
  font: FontFile | null;
  text: string;
}

/**
 * Which font draws a character: one that has all of it; else one for an equal form of it; else one for each of its code
 * points.
 */
export function chooseFonts(
  shelf: FontShelf,
  style: { face: Face; weight: Weight },
  character: string,
): Glyphs[] {
  if (/^\p{Zs}+$/u.test(character) && character !== '\u{3000}') return [{ font: null, text: ' ' }];
  const wanted = {
    face: style.face,
    weight: style.weight,
    emojiFirst: /\u{fe0f}|\p{Emoji_Presentation}/u.test(character),
  };
  const whole = (text: string): Glyphs | null => {
    const font = shelf.find(wanted, codePointsOf(text.replace(unseen, '')));
    // A joiner or a variation selector counts where the font knows it; elsewhere it would be seen as a box.
    return font && { font, text: [...text].filter((part) => font.covers.has(codePointOf(part))).join('') };
  };
  if (character.replace(unseen, '') === '') return [];
  for (const form of [character, character.normalize('NFD'), character.normalize('NFKC')]) {
    const found = whole(form);
    if (found) return [found];
  }
  const replacement = shelf.find(wanted, [0xfffd]);
  return [...character].flatMap((part) => {
    if (part.replace(unseen, '') === '') return [];
    const found = whole(part) ?? whole(part.normalize('NFKC'));
    return found ?? (replacement ? { font: replacement, text: '\u{fffd}' } : []);
  });
}

/** Joiners, variation selectors, bidirectional marks, soft hyphens: they shape what stands around them. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

const codePointOf = (part: string) => part.codePointAt(0) ?? 0;
const codePointsOf = (text: string) => Array.from(text, codePointOf);
