/** The first letter of each name, whole even where a letter is made of several code points. */
export function initialsOf({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return [first_name, last_name]
    .map((name) => [...graphemes.segment(name.trim())][0]?.segment.toLocaleUpperCase('en-GB') ?? '')
    .join('');
}

const graphemes = new Intl.Segmenter('en-GB', { granularity: 'grapheme' });
