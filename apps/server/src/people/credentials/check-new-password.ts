import type { AccountKind } from '../../platform/credentials/account-kind.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newPasswordLane } from './attempt-lanes.ts';
import { isBreached } from './breached/is-breached.ts';
import { admitRequest } from './limit-links.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { isTooLong, maxPasswordLength, type Passwords } from './passwords.ts';

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

/** The owner of a new password, and what others know about them. */
export interface NewPasswordOwner extends PasswordOwner {
  /** Email address, name and case references, none of which may be the password. */
  personal: readonly string[];
}

/**
 * Checks a new password: at most 128 characters of any kind, as many as the account needs, and not one from
 * stolen data, a common password, a combination of a few common parts, a keyboard row, a repetition, or what others know
 * about its owner. Do not call it in a transaction: it waits for a thread.
 * @returns the problems, worded for the client; empty when the password is acceptable
 * @throws DomainError `unavailable` when too many passwords are checked at once
 */
export async function checkNewPassword(
  { findWeakness }: Pick<Passwords, 'findWeakness'>,
  password: string,
  owner: NewPasswordOwner,
): Promise<string[]> {
  const problem = findFormProblem(password, owner);
  if (problem !== null) return [problem];
  const weakness = await findWeakness(password, owner.personal);
  if (weakness !== null) return [weaknessProblems[weakness]];
  if (isBreached(password))
    return [
      'This password is in lists of stolen passwords, which attackers try first. Please choose another.',
    ];
  return [];
}

const weaknessProblems = {
  common: 'This password is too common or too easy to guess. Please choose another.',
  personal:
    'This password is too similar to your name, your email address or a reference that other people know. ' +
    'Please choose another.',
};

/** @returns the problem with the characters or the length; null without one */
function findFormProblem(password: string, owner: PasswordOwner): string | null {
  if (password.includes('\0') || !password.isWellFormed())
    return 'This password has characters that cannot be typed.';
  if (isTooLong(password)) return `Please use at most ${maxPasswordLength} characters.`;
  const minLength = minPasswordLength(owner);
  return [...password].length < minLength ? `Please use at least ${minLength} characters.` : null;
}

/** Checks only the characters and the length, which takes no time. @throws DomainError `invalid_input` */
export function assertPasswordForm(password: string, owner: PasswordOwner): void {
  const problem = findFormProblem(password, owner);
  if (problem !== null) throw new DomainError('invalid_input', { errors: { password: [problem] } });
}

/**
 * Checks a new password. Refused ones are limited for each account.
 * @throws DomainError `invalid_input` for the password, `too_many_requests`, `unavailable`
 */
export async function assertNewPassword(
  { passwords, throttle }: { passwords: Passwords; throttle: LoginThrottle },
  password: string,
  owner: NewPasswordOwner & { id: string; accountKind: AccountKind },
): Promise<void> {
  const attempt = await admitRequest(throttle, newPasswordLane(owner.id, owner.accountKind));
  const problems = await attempt.withdrawnIfFails(checkNewPassword(passwords, password, owner));
  if (problems.length === 0) return attempt.withdrawn();
  attempt.failed();
  throw new DomainError('invalid_input', { errors: { password: problems } });
}

/**
 * Returns the check of the first passwords of clients in a feed, who have no second factor yet.
 * @returns a function that returns the problems
 */
export const createFirstPasswordCheck =
  (passwords: Passwords) =>
  (password: string, personal: readonly string[]): Promise<string[]> =>
    checkNewPassword(passwords, password, { hasSecondFactor: false, personal });
