/**
 * Chooses the size of a randomised test, for example its number of runs: short in `npm test`, long in
 * `npm run test:long`.
 */
export const runLength = <Size>(sizes: { short: Size; long: Size }): Size =>
  process.env.KEYTURN_TEST_LENGTH === 'long' ? sizes.long : sizes.short;
