import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { isTooLong, maxPasswordLength } from './passwords.ts';

/**
 * Checks a new password: 12 to 128 characters of any kind, and not a common password, a combination of a few common
 * parts, a keyboard row or a repetition.
 * @returns the problems, worded for the client; empty when the password is acceptable
 */
export function checkNewPassword(password: string): string[] {
  if (password.includes('\0') || !password.isWellFormed())
    return ['This password has characters that cannot be typed.'];
  if (isTooLong(password)) return [`Please use at most ${maxPasswordLength} characters.`];
  if ([...password].length < minPasswordLength)
    return [`Please use at least ${minPasswordLength} characters.`];
  if (isCommon(password)) return ['This password is too common or too easy to guess. Please choose another.'];
  return [];
}

const minPasswordLength = 12;

/** Also checks the password without separators: "pass-word 1 2 3 4" is as weak as "password1234". */
function isCommon(password: string): boolean {
  const joined = password.replaceAll(/[\s\p{P}]/gu, '');
  return isGuessable(password) || (joined.length >= minPasswordLength / 2 && isGuessable(joined));
}

/**
 * Whether an attacker who tries likely passwords first would find it within a million guesses. A service that allows
 * five attempts a minute must reject those; a stricter limit would reject good phrases.
 */
const isGuessable = (password: string) => estimator().check(password.normalize('NFC')).guesses < 1_000_000;

let cachedEstimator: ZxcvbnFactory | undefined;

/** Created on first use, because sorting 57,000 words takes about 20 ms. */
function estimator(): ZxcvbnFactory {
  cachedEstimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return cachedEstimator;
}
