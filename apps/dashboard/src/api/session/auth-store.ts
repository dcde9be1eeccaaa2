import { type Check, isInteger, isNullOr, isObjectOf } from '@keyturn/browser/checks/check.ts';
import { createStore, type ReadableStore } from '@keyturn/browser/store/create-store.ts';
import type { AccessToken, Client, ClientProfile } from '@keyturn/contract';
import { isClientProfile } from '../checks/entity-checks.ts';
import type { PersistedState } from './persisted-state.ts';

/** The stored sign-in. A client is signed in while there is one. */
export interface AuthState {
  access_token: string;
  token_type: string;
  /** Seconds from `obtained_at`. */
  expires_in: number;
  /** Milliseconds of this browser's clock, which may be wrong. */
  obtained_at: number;
  /** Null until the client has been fetched. */
  client: ClientProfile | null;
}

/**
 * `signed_out`: by the client in this tab; `other_tab`: in another tab; `idle`: after too much inactivity; `not_kept`: the
 * browser did not send the cookie of a sign-in of the last minute.
 */
export type SignOutReason = 'signed_out' | 'other_tab' | 'idle' | 'expired' | 'not_kept';

export interface AuthStore extends ReadableStore<AuthState | null> {
  /** The `Authorization` header of the sign-in, which identifies it; null when signed out. */
  credential(): string | null;
  signIn(token: AccessToken): void;
  setClient(client: Client): void;
  /** Signs out here and in every other tab. */
  clear(reason: SignOutReason): void;
  /** Signs out after the server rejected the sign-in. */
  reject(): void;
  /** Why the last sign-in of this tab ended; null before one has ended, and while signed in. */
  signOutReason(): SignOutReason | null;
  /** The client whose sign-in ended in this tab without anyone signing out; null otherwise, and while signed in. */
  interruptedClient(): ClientProfile | null;
}

/** Creates the store of this browser's sign-in, which follows the other tabs and ends when the token expires. */
export function createAuthStore(persisted: PersistedState, now: () => number = Date.now): AuthStore {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { get, subscribe, ...state } = createStore(readAuthState(persisted, now()));
  let signOutReason: SignOutReason | null = null;
  let interruptedClient: ClientProfile | null = null;
  // The sign-in may have ended while no page was open.
  if (!get()) persisted.remove('case');

  const set = (next: AuthState | null, reason: SignOutReason | null = null) => {
    signOutReason = next ? null : reason;
    interruptedClient = !next && (reason === 'idle' || reason === 'expired') ? (get()?.client ?? null) : null;
    watchExpiry(next);
    state.set(next);
  };
  const store = (next: AuthState) => {
    const seconds = Math.max(1, Math.ceil(remaining(next, now()) / 1000));
    persisted.write('auth', fitToStorage(next, persisted), seconds);
    set(next);
  };
  const clear = (reason: SignOutReason) => {
    persisted.remove('auth');
    // The stored case must not outlive the sign-in, whatever screen is open.
    persisted.remove('case');
    if (get()) set(null, reason);
  };
  const watchExpiry = (state = get()) => {
    clearTimeout(timer);
    if (!state) return;
    // Timers stop while the machine sleeps and cannot exceed 24 days, so check every 15 minutes.
    const wait = Math.min(Math.max(remaining(state, now()), 0), 15 * 60_000);
    timer = setTimeout(() => {
      if (remaining(state, now()) <= 0) clear('expired');
      else watchExpiry();
    }, wait + 50);
  };

  persisted.onChangeElsewhere((name) => {
    if (name !== 'auth') return;
    const next = readAuthState(persisted, now());
    if (JSON.stringify(next) !== JSON.stringify(get())) set(next, 'other_tab');
  });
  watchExpiry();

  return {
    get,
    subscribe,
    credential: () => credentialOf(get()),
    signIn: ({ access_token, token_type, expires_in }) =>
      store({
        access_token,
        token_type: tokenTypeFrom(token_type),
        expires_in,
        obtained_at: now(),
        client: null,
      }),
    setClient: ({ conveyancing_case: _, ...client }) => {
      const state = get();
      if (state && JSON.stringify(state.client) !== JSON.stringify(client)) store({ ...state, client });
    },
    clear,
    reject: () => {
      const state = get();
      const isNew = state !== null && state.client === null && now() - state.obtained_at < 60_000;
      clear(isNew ? 'not_kept' : 'expired');
    },
    signOutReason: () => signOutReason,
    interruptedClient: () => interruptedClient,
  };
}

export const credentialOf = (state: AuthState | null): string | null =>
  state && `${state.token_type} ${state.access_token}`;

/** Our tokens have only characters that are safe in a header. */
const isHeaderWord: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[\w.~+/=-]+$/.test(value);

/** Any spelling of `Bearer` is `Bearer`, and so is a type that is missing or cannot be sent. */
const tokenTypeFrom = (type: unknown): string =>
  isHeaderWord(type) && type.toLowerCase() !== 'bearer' ? type : 'Bearer';

const isAuthState = isObjectOf<AuthState>({
  access_token: isHeaderWord,
  token_type: isHeaderWord,
  expires_in: isInteger,
  obtained_at: isInteger,
  client: isNullOr(isClientProfile),
});

function readAuthState(persisted: PersistedState, at: number): AuthState | null {
  const stored = persisted.read('auth');
  if (!isAuthState(stored)) return null;
  return remaining(stored, at) > 0 ? stored : null;
}

/** Milliseconds until the token expires. If the clock was set back, the server's 401 ends the sign-in. */
const remaining = ({ obtained_at, expires_in }: AuthState, at: number) =>
  obtained_at + expires_in * 1000 - at;

/** Leaves the client out if the state is too large for a cookie. */
function fitToStorage(state: AuthState, { kind }: PersistedState): AuthState {
  if (kind !== 'cookie' || encodeURIComponent(JSON.stringify(state)).length < 3_500) return state;
  return { ...state, client: null };
}
