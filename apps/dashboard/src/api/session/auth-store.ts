import type { AccessToken, Client, ClientProfile } from '@keyturn/contract';
import { type Check, isInteger, isNullOr, isObjectOf } from '../checks/check.ts';
import { isClientProfile } from '../checks/entity-checks.ts';
import type { PersistedState } from './persisted-state.ts';

/** Kept across visits. Authenticated means that there is one. */
export interface AuthState {
  access_token: string;
  token_type: string;
  /** Seconds from `obtained_at`. */
  expires_in: number;
  /** Milliseconds by this browser's own clock, right or wrong. */
  obtained_at: number;
  /** Null until the client was read. */
  client: ClientProfile | null;
}

/** `left`: the client's own doing; `elsewhere`: in another tab; `idle`: after too long without use. */
export type SignOutReason = 'left' | 'elsewhere' | 'idle' | 'expired';

export interface AuthStore {
  /** The same object until something changes. */
  get(): AuthState | null;
  /** `Bearer …`, or null when signed out. */
  authorization(): string | null;
  signIn(token: AccessToken): void;
  setClient(client: Client): void;
  /** Signs out here and in every other tab. */
  clear(ending: SignOutReason): void;
  /** How the last sign-in of this tab ended; null before, and while signed in. */
  signOutReason(): SignOutReason | null;
  subscribe(listener: () => void): () => void;
}

/** The sign-in of this browser; follows what other tabs do with it, and ends when the token does. */
export function createAuthStore(persisted: PersistedState, now: () => number = Date.now): AuthStore {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state = readAuthState(persisted, now());
  let ending: SignOutReason | null = null;
  // It may have ended while no page was open.
  if (!state) persisted.remove('case');

  const set = (next: AuthState | null, endedBy: SignOutReason | null = null) => {
    state = next;
    ending = next ? null : endedBy;
    watchExpiry();
    for (const listener of [...listeners]) listener();
  };
  const keep = (next: AuthState) => {
    const seconds = Math.max(1, Math.ceil(remaining(next, now()) / 1000));
    persisted.write('auth', smallEnough(next, persisted), seconds);
    set(next);
  };
  const clear = (endedBy: SignOutReason) => {
    persisted.remove('auth');
    // Whatever screen is open: the case goes with the sign-in.
    persisted.remove('case');
    if (state) set(null, endedBy);
  };
  const watchExpiry = () => {
    clearTimeout(timer);
    if (!state) return;
    // A timer counts wrong while the machine sleeps, and not beyond 24 days: look again every quarter of an hour.
    const wait = Math.min(Math.max(remaining(state, now()), 0), 15 * 60_000);
    timer = setTimeout(() => {
      if (state && remaining(state, now()) <= 0) clear('expired');
      else watchExpiry();
    }, wait + 50);
  };

  persisted.onChangeElsewhere((name) => {
    if (name !== 'auth') return;
    const next = readAuthState(persisted, now());
    if (JSON.stringify(next) !== JSON.stringify(state)) set(next, 'elsewhere');
  });
  watchExpiry();

  return {
    get: () => state,
    authorization: () => (state ? `${state.token_type} ${state.access_token}` : null),
    signIn: ({ access_token, token_type, expires_in }) =>
      keep({
        access_token,
        token_type: token_type || 'Bearer',
        expires_in,
        obtained_at: now(),
        client: null,
      }),
    setClient: ({ conveyancing_case: _, ...client }) => {
      if (state && JSON.stringify(state.client) !== JSON.stringify(client)) keep({ ...state, client });
    },
    clear,
    signOutReason: () => ending,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a header can carry: anything else was never a token of ours. */
const isHeaderWord: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[\w.~+/=-]+$/.test(value);

const isAuthState = isObjectOf<AuthState>({
  access_token: isHeaderWord,
  token_type: isHeaderWord,
  expires_in: isInteger,
  obtained_at: isInteger,
  client: isNullOr(isClientProfile),
});

function readAuthState(persisted: PersistedState, at: number): AuthState | null {
  const found = persisted.read('auth');
  if (!isAuthState(found)) return null;
  return remaining(found, at) > 0 ? found : null;
}

/** Milliseconds; a clock that was set back does not lengthen it, the server's 401 ends it then. */
const remaining = ({ obtained_at, expires_in }: AuthState, at: number) =>
  obtained_at + expires_in * 1000 - at;

/** A cookie takes the token always, and the client where there is room. */
function smallEnough(state: AuthState, { kind }: PersistedState): AuthState {
  if (kind !== 'cookie' || encodeURIComponent(JSON.stringify(state)).length < 3_500) return state;
  return { ...state, client: null };
}
