import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';

/** Why a sign-in failed: an error for each field, or one for the whole form. */
export interface SignInErrors {
  email?: string;
  password?: string;
  form?: string;
}

/** Checks that both fields are filled in. */
export function validateCredentials({ email, password }: { email: string; password: string }): SignInErrors {
  return {
    ...(email === '' ? { email: 'Enter your email address.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  };
}

/**
 * Converts an error from the server or the network. Rejected credentials are shown at the password in the server’s own
 * words, which do not reveal whether the email address exists.
 */
export function signInErrorsFrom(error: unknown): SignInErrors {
  if (error instanceof ApiError) {
    if (error.status === 401 || error.status === 429) return { password: error.message };
    if (error.errors.email) return { email: 'Enter your email address, for example name@example.com.' };
    if (error.errors.password) return { password: 'Enter your password.' };
  }
  return { form: messageOf(error) };
}

/** Replaces the seconds in the server’s rate limit message with the seconds left, so that it counts down. */
export function withSecondsLeft(message: string, secondsLeft: number | null): string {
  if (secondsLeft === null) return message;
  if (secondsLeft === 0) return 'You can try again now.';
  const remaining = secondsLeft === 1 ? '1 second' : `${secondsLeft} seconds`;
  return message.replace(/\d+ seconds?/, remaining);
}
