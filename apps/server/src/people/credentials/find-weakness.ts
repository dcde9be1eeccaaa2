import { foldLetters } from '@keyturn/contract';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Why a password is easy to guess: everyone tries it first, or someone who knows the person does. */
export type Weakness = 'common' | 'personal';

/** Code units that are examined. A longer password would take seconds, and is at least as strong as its start. */
const maxExamined = 64;

/**
 * Finds out whether an attacker who tries likely passwords first would find this one within a million guesses. A service
 * that allows five attempts a minute must reject those; a stricter limit would reject good phrases.
 *
 * Takes up to 0.4 s of processor time, so servers call it in `weakness-worker.ts`. Also checks the password without
 * separators: "pass-word 1 2 3 4" is as weak as "password1234".
 * What others know about the person, with up to four more characters, is as weak.
 * @param personal what others know about the person: email address, name, case references
 */
export function findWeakness(password: string, personal: readonly string[]): Weakness | null {
  const examined = password.normalize('NFC').slice(0, maxExamined);
  const joined = join(examined);
  const known = personal
    .flatMap((text) => [text, text.split('@')[0] ?? '', ...text.split(/\s+/u)])
    .flatMap((text) => [text, join(text)])
    .map((text) => foldLetters(text.slice(0, maxExamined)))
    .filter((text) => join(text).length > 2)
    .sort((one, other) => other.length - one.length);
  const rest = known.reduce((left, text) => left.replaceAll(join(text), ''), foldLetters(joined));
  if (rest.length <= 4 && rest.length < foldLetters(joined).length) return 'personal';
  const variants = joined.length >= 6 && joined !== examined ? [examined, joined] : [examined];
  for (const variant of variants) {
    const { guesses, sequence } = estimator().check(variant, known);
    if (guesses >= 1_000_000) continue;
    const isPersonal = sequence.some(
      (match) => 'dictionaryName' in match && match.dictionaryName === 'userInputs',
    );
    return isPersonal ? 'personal' : 'common';
  }
  return null;
}

const join = (text: string) => text.replaceAll(/[\s\p{P}]/gu, '');

let cachedEstimator: ZxcvbnFactory | undefined;

/** Created on first use, because sorting 57,000 words takes about 20 ms. */
function estimator(): ZxcvbnFactory {
  cachedEstimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return cachedEstimator;
}
