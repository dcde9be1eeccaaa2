import { ApiError, messageOf } from '../../../api/client/api-error.ts';

/** What stops a sign-in, at the field that it is about or, for all else, above the form. */
export interface SignInErrors {
  email?: string;
  password?: string;
  form?: string;
}

export function validateCredentials({ email, password }: { email: string; password: string }): SignInErrors {
  return {
    ...(email === '' ? { email: 'Enter your email address.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  };
}

/** The server's own words, at the password: they never say which of the two was wrong. */
export function signInErrorsFrom(error: unknown): SignInErrors {
  if (error instanceof ApiError) {
    if (error.status === 401 || error.status === 429) return { password: error.message };
    if (error.errors.email) return { email: 'Enter your email address, for example name@example.com.' };
    if (error.errors.password) return { password: 'Enter your password.' };
  }
  return { form: messageOf(error) };
}

/** The server's "in 51 seconds", counted down; once they are over the words say so. */
export function withSecondsLeft(message: string, secondsLeft: number | null): string {
  if (secondsLeft === null) return message;
  if (secondsLeft === 0) return 'You can try again now.';
  const left = secondsLeft === 1 ? '1 second' : `${secondsLeft} seconds`;
  return message.replace(/\d+ seconds?/, left);
}
