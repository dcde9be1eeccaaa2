/**
 * Chooses the size of a randomised test, for example its number of runs: short in `npm test` and `npm run test:all`, long
 * in `npm run test:long`.
 */
export const runLength = <Size>(sizes: { short: Size; long: Size }): Size =>
  process.env.KEYTURN_TEST_LENGTH === 'long' ? sizes.long : sizes.short;

/**
 * Chooses among test cases that take long and differ little, such as the clients or the widths of a screen: always the
 * first ones, and all of them in `npm run test:long`.
 * @param count the number of first cases
 */
export const variants = <Case>(cases: readonly Case[], count: number): Case[] =>
  cases.slice(0, runLength({ short: count, long: cases.length }));
