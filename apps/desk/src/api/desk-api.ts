import { watchActivity } from '@keyturn/browser/activity/watch-activity.ts';
import { createQueryClient } from '@keyturn/browser/calls/create-query-client.ts';
import { createStore, useStore } from '@keyturn/browser/store/create-store.ts';
import type { StaffSignIn } from '@keyturn/contract/staff';
import type { QueryClient } from '@tanstack/react-query';
import { createStaffCall } from './client/create-staff-call.ts';
import { ApiError } from './client/staff-error.ts';
import { openChoice } from './preferences.ts';
import type { Session, SessionEnd } from './session/session.ts';

/* The one API client of the page, and the session it uses. */

/** Unit tests import this module too, without a browser. */
const isBrowser = typeof window !== 'undefined';

export const session = createStore<Session>({ kind: 'unknown' });

/** When the server last answered a request that counts as activity, in milliseconds of this browser’s clock. */
export const extendedAt = createStore(Date.now());

/** Tells the other tabs about activity and about changes of the session. */
const channel = isBrowser ? new BroadcastChannel('keyturn-desk') : null;

export const activity = watchActivity({ events: isBrowser ? window : new EventTarget(), channel: null });

/** An answer of the member that a call waits for. */
export interface Question {
  settle(answer: boolean): void;
}

/** Creates a question. Calls that ask it at the same time share one dialog. */
function createQuestion() {
  /** Null while no call asks. */
  const open = createStore<Question | null>(null);
  let asking: Promise<boolean> | undefined;
  const ask = () => {
    asking ??= new Promise<boolean>((resolve) => open.set({ settle: resolve })).finally(() => {
      asking = undefined;
      open.set(null);
    });
    return asking;
  };
  return { open, ask };
}

/** Asks the member to confirm who they are. */
export const identityQuestion = createQuestion();
/** Asks whether numbers that the member wrote are anything but a bank account. */
export const noBankAccountQuestion = createQuestion();

/** Whether the server has accepted the session since the member signed in. */
let isAccepted = true;

/** Makes a call of the staff API. */
export const callStaff = createStaffCall({
  csrfToken: () => signInOf(session.get())?.csrf_token ?? null,
  onSignedOut: () => {
    if (session.get().kind === 'signed-in') endSession(isAccepted ? 'ended' : 'not_kept');
  },
  onFactorRequired: () => {
    // A sign-in that was never set up fails with this error, too.
    if (session.get().kind === 'signed-in') void readSession();
  },
  onAccepted: () => {
    isAccepted = true;
  },
  onExtended: () => {
    extendedAt.set(Date.now());
    channel?.postMessage('extended');
  },
  confirmIdentity: identityQuestion.ask,
  isNoBankAccount: noBankAccountQuestion.ask,
  consumeActivity: activity.consume,
});

/** Starts to follow the session in other tabs. */
export function followOtherTabs(): void {
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'extended') extendedAt.set(Date.now());
    if (data === 'session') void readSession();
    // Not read from the server, which would answer with an error.
    if (data === 'ended') setSession({ kind: 'signed-out', reason: null });
  });
}

/** Whether a member has signed in to this browser. Scripts cannot see the cookie of the session. */
const storedSession = openChoice('session', ['none', 'started']);

/** Continues the session of this browser. Without one, no request is made that the server would reject. */
export function resumeSession(): void {
  if (storedSession.get() === 'none') session.set({ kind: 'signed-out', reason: null });
  else void readSession({ extend: true });
}

/**
 * Reads the session of this browser from the server.
 * @param options.extend whether that counts as activity of the member
 */
export async function readSession({ extend = false } = {}): Promise<void> {
  try {
    setSession({ kind: 'signed-in', signIn: await callStaff('GET /staff/session', { background: !extend }) });
  } catch (error) {
    const before = session.get();
    if (error instanceof ApiError && error.status === 401) {
      if (before.kind !== 'signed-out') setSession({ kind: 'signed-out', reason: null });
      // While the server cannot be reached, the page stays unchanged.
    } else if (before.kind === 'unknown' || before.kind === 'unreadable') {
      session.set({ kind: 'unreadable', error });
    }
  }
}

/** Starts a session with the answer to a sign-in. The other tabs read it, too. */
export function startSession(signIn: StaffSignIn): void {
  isAccepted = false;
  extendedAt.set(Date.now());
  setSession({ kind: 'signed-in', signIn });
  channel?.postMessage('session');
}

/** Ends the session on this page, and on the server if it can be reached. */
export async function signOut(reason: SessionEnd = 'signed_out'): Promise<void> {
  const signingOut = callStaff('POST /staff/logout').catch(() => undefined);
  endSession(reason);
  channel?.postMessage('ended');
  await signingOut;
}

/** Shows the sign-in page in place of everything else. */
export function endSession(reason: SessionEnd): void {
  setSession({ kind: 'signed-out', reason });
}

function setSession(next: Session): void {
  const before = signInOf(session.get());
  const after = signInOf(next);
  // Data of one sign-in is never shown to the next one.
  if (before?.csrf_token !== after?.csrf_token) {
    queryClient = createQueryClient();
    for (const forget of onNewSession) forget();
  }
  if (!after) for (const { open } of [identityQuestion, noBankAccountQuestion]) open.get()?.settle(false);
  storedSession.set(after ? 'started' : 'none');
  session.set(next);
}

/** Called when the session changes, to remove the data of the earlier one. */
export const onNewSession = new Set<() => void>();

const signInOf = (of: Session): StaffSignIn | null => (of.kind === 'signed-in' ? of.signIn : null);

let queryClient = createQueryClient();

/** Returns the cache of the current session. */
export const currentQueryClient = (): QueryClient => queryClient;

/** Returns the signed-in member. Only for pages that are shown to signed-in members. */
export function useMember(): StaffSignIn['member'] {
  const signIn = signInOf(useStore(session));
  if (!signIn) throw new Error('no one is signed in');
  return signIn.member;
}
