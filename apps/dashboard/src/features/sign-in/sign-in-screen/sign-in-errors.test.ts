import { ApiError, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { expect, test } from 'vitest';
import { signInErrorsFrom, validateCredentials, withSecondsLeft } from './sign-in-errors.ts';

test('asks for a missing email address or password at sign-in', () => {
  expect(validateCredentials({ email: '', password: '' })).toEqual({
    email: 'Enter your email address.',
    password: 'Enter your password.',
  });
  expect(validateCredentials({ email: 'a@b.c', password: ' ' })).toEqual({});
});

test('shows rejected credentials and rate limits at the password in the server’s words', () => {
  const errors = [
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
  for (const error of errors) expect(signInErrorsFrom(error)).toEqual({ password: error.message });
});

test('shows an invalid email address at the email field', () => {
  const error = new ApiError({
    status: 422,
    code: 'invalid_input',
    message: 'x',
    errors: { email: ['is required'] },
  });
  expect(signInErrorsFrom(error).email).toMatch(/name@example.com/);
});

test('shows any other sign-in error above the form', () => {
  expect(signInErrorsFrom(localFailure('offline')).form).toMatch(/offline/);
  expect(signInErrorsFrom(new Error('unexpected')).form).toBe('An unexpected error has occurred.');
});

test.each([
  ['Too many login attempts. Please try again in 51 seconds.', null, /in 51 seconds\.$/],
  ['Too many login attempts. Please try again in 51 seconds.', 50, /in 50 seconds\.$/],
  ['Too many login attempts. Please try again in 51 seconds.', 1, /in 1 second\.$/],
  ['Too many login attempts. Please try again in 51 seconds.', 0, /^You can try again now\.$/],
  ['These credentials do not match our records.', null, /^These credentials/],
] as const)('shows "%s" with %s seconds left', (message, left, text) => {
  expect(withSecondsLeft(message, left)).toMatch(text);
});
