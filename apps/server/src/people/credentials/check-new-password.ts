import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { DomainError } from '../../platform/domain-error.ts';
import { isBreached } from './breached/is-breached.ts';
import { isTooLong, maxPasswordLength } from './passwords.ts';

/** An account that gets a new password. */
export interface PasswordOwner {
  /** Whether the account has or needs a second factor, so that the password may be shorter. */
  hasSecondFactor: boolean;
}

/** Returns the characters that a new password needs at least. */
export const minPasswordLength = ({ hasSecondFactor }: PasswordOwner): number => (hasSecondFactor ? 12 : 15);

/** Tells whether a password is too short for an account without a second factor. */
export const isShortPassword = (password: string): boolean =>
  [...password].length < minPasswordLength({ hasSecondFactor: false });

/**
 * Checks a new password: at most 128 characters of any kind, as many as the account needs, and not one from
 * stolen data, a common password, a
 * combination of a few common parts, a keyboard row or a repetition.
 * @returns the problems, worded for the client; empty when the password is acceptable
 */
export function checkNewPassword(password: string, owner: PasswordOwner): string[] {
  if (password.includes('\0') || !password.isWellFormed())
    return ['This password has characters that cannot be typed.'];
  if (isTooLong(password)) return [`Please use at most ${maxPasswordLength} characters.`];
  const minLength = minPasswordLength(owner);
  if ([...password].length < minLength) return [`Please use at least ${minLength} characters.`];
  if (isCommon(password)) return ['This password is too common or too easy to guess. Please choose another.'];
  if (isBreached(password))
    return [
      'This password is in lists of stolen passwords, which attackers try first. Please choose another.',
    ];
  return [];
}

/** Checks a new password. @throws DomainError `invalid_input` for the password */
export function assertNewPassword(password: string, owner: PasswordOwner): void {
  const problems = checkNewPassword(password, owner);
  if (problems.length > 0) throw new DomainError('invalid_input', { errors: { password: problems } });
}

/** Also checks the password without separators: "pass-word 1 2 3 4" is as weak as "password1234". */
function isCommon(password: string): boolean {
  const joined = password.replaceAll(/[\s\p{P}]/gu, '');
  return isGuessable(password) || (joined.length >= 6 && isGuessable(joined));
}

/**
 * Whether an attacker who tries likely passwords first would find it within a million guesses. A service that allows
 * five attempts a minute must reject those; a stricter limit would reject good phrases.
 */
const isGuessable = (password: string) => estimator().check(password.normalize('NFC')).guesses < 1_000_000;

/** Checks the first password of a client, who has no second factor yet. @returns the problems */
export const checkFirstPassword = (password: string): string[] =>
  checkNewPassword(password, { hasSecondFactor: false });

let cachedEstimator: ZxcvbnFactory | undefined;

/** Created on first use, because sorting 57,000 words takes about 20 ms. */
function estimator(): ZxcvbnFactory {
  cachedEstimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return cachedEstimator;
}
