import { describe, expect, test } from 'vitest';
import { ApiError, localFailure } from '../../../api/client/api-error.ts';
import { signInErrorsFrom, validateCredentials, withSecondsLeft } from './sign-in-errors.ts';

describe('what stops a sign-in', () => {
  test('is asked for where it is missing', () => {
    expect(validateCredentials({ email: '', password: '' })).toEqual({
      email: 'Enter your email address.',
      password: 'Enter your password.',
    });
    expect(validateCredentials({ email: 'a@b.c', password: ' ' })).toEqual({});
  });

  test('is said at the password in the server’s own words', () => {
    const refusals = [
      new ApiError({
        status: 401,
        code: 'invalid_credentials',
        message: 'These credentials do not match our records.',
      }),
      new ApiError({
        status: 429,
        code: 'too_many_login_attempts',
        message: 'Too many login attempts. Please try again in 42 seconds.',
      }),
    ];
    for (const refusal of refusals) expect(signInErrorsFrom(refusal)).toEqual({ password: refusal.message });
  });

  test('is said at the email when that has no right form', () => {
    const refusal = new ApiError({
      status: 422,
      code: 'invalid_input',
      message: 'x',
      errors: { email: ['is required'] },
    });
    expect(signInErrorsFrom(refusal).email).toMatch(/name@example.com/);
  });

  test('is said above the form when it is about neither', () => {
    expect(signInErrorsFrom(localFailure('offline')).form).toMatch(/offline/);
    expect(signInErrorsFrom(new Error('surprise')).form).toBe('An unexpected error has occurred.');
  });
});

test.each([
  ['Too many login attempts. Please try again in 51 seconds.', null, /in 51 seconds\.$/],
  ['Too many login attempts. Please try again in 51 seconds.', 50, /in 50 seconds\.$/],
  ['Too many login attempts. Please try again in 51 seconds.', 1, /in 1 second\.$/],
  ['Too many login attempts. Please try again in 51 seconds.', 0, /^You can try again now\.$/],
  ['These credentials do not match our records.', null, /^These credentials/],
] as const)('%s with %s left', (message, left, words) => {
  expect(withSecondsLeft(message, left)).toMatch(words);
});
