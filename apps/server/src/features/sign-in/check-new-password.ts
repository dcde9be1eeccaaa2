import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { isTooLong, longestPassword } from './passwords.ts';

/**
 * Whether a password may be set: 12 to 128 characters of any kind, and not one of the common ones, nor one that
 * is a few common pieces, a keyboard row or a repetition made long.
 * @returns what is wrong, in words for the person who chose it; empty: nothing
 */
export function checkNewPassword(password: string): string[] {
  if (password.includes('\0') || !password.isWellFormed())
    return ['This password has characters that cannot be typed.'];
  if (isTooLong(password)) return [`Please use at most ${longestPassword} characters.`];
  if ([...password].length < shortestPassword) return [`Please use at least ${shortestPassword} characters.`];
  if (isCommon(password)) return ['This password is too common or too easy to guess. Please choose another.'];
  return [];
}

const shortestPassword = 12;

/** Also as it would read without what separates its parts: "pass-word 1 2 3 4" is no better than without. */
function isCommon(password: string): boolean {
  const joined = password.replaceAll(/[\s\p{P}]/gu, '');
  return isGuessable(password) || (joined.length >= shortestPassword / 2 && isGuessable(joined));
}

/**
 * An attacker who tries the likely ones first comes to it within a million guesses: what a service that allows
 * five a minute must never accept, and no more, so that nobody's own phrase is called common.
 */
const isGuessable = (password: string) => estimator().check(password.normalize('NFC')).guesses < 1_000_000;

let madeEstimator: ZxcvbnFactory | undefined;

/** Sorting 57,000 words takes some 20 ms: only where a password is set. */
function estimator(): ZxcvbnFactory {
  madeEstimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return madeEstimator;
}
