import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { expect } from 'vitest';
import { runLength } from '../run-length.ts';
import { runSeed } from './run-seed.ts';

/**
 * Chooses among test cases that take long and differ little, such as the clients or the widths of a screen: all of
 * them in `npm run test:long`, and a selection that varies with the seed of the run in `npm test`.
 * @param count the number of cases in `npm test`
 */
export function sampleOf<Case>(cases: readonly Case[], count: number): Case[] {
  const sampled = new Set(
    cases
      .map((_, index) => ({ index, place: nextShare() }))
      .sort((one, other) => one.place - other.place)
      .slice(0, runLength({ short: count, long: cases.length }))
      .map(({ index }) => index),
  );
  return cases.filter((_, index) => sampled.has(index));
}

/**
 * Chooses whether a run contains a test that takes long and resembles another of its file: about every second time in
 * `npm test`, always in `npm run test:long`. Use it as the option `{ skip: !isSampled() }`.
 */
export const isSampled = (): boolean => runLength({ short: nextShare() < 0.5, long: true });

const choicesOfFile = new Map<string, number>();

/** @returns a number from 0 to 1 that follows from the seed, the test file and the choices already made in the file */
function nextShare(): number {
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const choice = choicesOfFile.get(file) ?? 0;
  choicesOfFile.set(file, choice + 1);
  const hash = createHash('sha256').update(`${runSeed} ${file} ${choice}`).digest();
  return hash.readUInt32BE() / 2 ** 32;
}
