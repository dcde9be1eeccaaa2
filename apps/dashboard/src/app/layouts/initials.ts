/** Returns the first letter of each name, complete even when it consists of several code points. */
export function initialsOf({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return [first_name, last_name]
    .map((name) => [...graphemes.segment(name.trim())][0]?.segment.toLocaleUpperCase('en-GB') ?? '')
    .join('');
}

const graphemes = new Intl.Segmenter('en-GB', { granularity: 'grapheme' });
