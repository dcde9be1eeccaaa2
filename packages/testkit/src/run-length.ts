/**
 * Chooses the size of a randomised test, for example its number of runs: short in `npm test`, long in
 * `npm run test:long`.
 */
export const runLength = <Size>(sizes: { short: Size; long: Size }): Size =>
  process.env.KEYTURN_TEST_LENGTH === 'long' ? sizes.long : sizes.short;

/**
 * Chooses among test cases that take long and differ little, such as the clients or the widths of a screen: all of
 * them in `npm run test:long`, and a varying selection in `npm test`.
 * @param count the number of cases in `npm test`
 */
export function sampleOf<Case>(cases: readonly Case[], count: number): Case[] {
  const sampled = new Set(
    cases
      .map((_, index) => ({ index, place: Math.random() }))
      .sort((one, other) => one.place - other.place)
      .slice(0, runLength({ short: count, long: cases.length }))
      .map(({ index }) => index),
  );
  return cases.filter((_, index) => sampled.has(index));
}

/**
 * Chooses whether a run contains a test that takes long and resembles another of its file: every second time in
 * `npm test`, always in `npm run test:long`. Use it as the option
 * `{ skip: !isDrawn() }`.
 */
export const isDrawn = (): boolean => runLength({ short: Math.random() < 0.5, long: true });
