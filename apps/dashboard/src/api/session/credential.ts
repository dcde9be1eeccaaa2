/** The header that proves a sign-in: a bearer token, or the CSRF token of a cookie that scripts cannot read. */
export interface Credential {
  header: 'Authorization' | 'X-CSRF-TOKEN';
  /** Identifies the sign-in. */
  value: string;
}

/** Returns the headers of a request with a credential; none when signed out. */
export const headersOf = (credential: Credential | null): Record<string, string> =>
  credential ? { [credential.header]: credential.value } : {};

/** Whether two requests belong to the same sign-in. */
export const isSameSignIn = (one: Credential | null, other: Credential | null): boolean =>
  one?.value === other?.value;

/** Whether a request with this credential needs its cookie. */
export const needsCookie = (credential: Credential | null): boolean => credential?.header === 'X-CSRF-TOKEN';
