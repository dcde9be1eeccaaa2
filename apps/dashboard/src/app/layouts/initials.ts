/** Returns the first letter of each name, complete even when it consists of several code points. */
export function initialsOf({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return [first_name, last_name].map((name) => firstLetter(name.trim()).toLocaleUpperCase('en-GB')).join('');
}

/** The first use of a segmenter blocks a phone for tens of milliseconds, and most names start with a Latin letter. */
function firstLetter(name: string): string {
  const [latin] = /^\p{Script=Latin}(?![\p{M}\p{Cf}])/u.exec(name) ?? [];
  return latin ?? [...createSegmenter().segment(name)][0]?.segment ?? '';
}

const createSegmenter = () => new Intl.Segmenter('en-GB', { granularity: 'grapheme' });
