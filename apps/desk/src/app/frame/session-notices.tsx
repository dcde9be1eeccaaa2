import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useEffect, useState } from 'react';
import { activity, extendedAt, readSession, session, signOut } from '../../api/desk-api.ts';
import { limitOf, type SessionLimit } from '../../api/session/session.ts';
import { Button } from '../../ui/base/button.tsx';
import styles from './frame.module.css';

/** Extends the session while the member is active, warns before it ends, and ends it. */
export function SessionNotices() {
  const limit = useSessionLimit();
  const isIdle = limit?.kind === 'idle_soon';
  const stay = () => void readSession({ extend: true });
  return (
    <>
      {limit?.kind === 'expires_soon' && (
        <div className={styles.notice} role="status">
          <Alert tone="attention" title={`Your session ends in ${minutesLeft(limit.remaining)}.`}>
            <p>
              That is eight hours after you signed in. Save what you’re writing. You can then sign in again
              and continue on this page.
            </p>
          </Alert>
        </div>
      )}
      <Dialog
        open={isIdle}
        onClose={() => isIdle && stay()}
        title="Are you still there?"
        actions={
          <>
            <Button look="primary" onClick={stay}>
              Stay signed in
            </Button>
            <Button onClick={() => void signOut()}>Sign out</Button>
          </>
        }
      >
        <p>
          To keep clients’ data private, you’ll be signed out in{' '}
          <strong>{isIdle ? minutesLeft(limit.remaining) : ''}</strong>.
        </p>
      </Dialog>
    </>
  );
}

/** Milliseconds of activity after which the page extends the session. */
const extendEvery = 60_000;

function useSessionLimit(): SessionLimit | null {
  const current = useStore(session);
  const signIn = current.kind === 'signed-in' ? current.signIn : null;
  const extended = useStore(extendedAt);
  const [limit, setLimit] = useState<SessionLimit | null>(null);
  useEffect(() => {
    if (!signIn) return;
    let timer: ReturnType<typeof setTimeout>;
    let isExtending = false;
    const check = () => {
      const next = limitOf(signIn, { now: Date.now(), extendedAt: extended });
      if (next.kind === 'ended') return void signOut(next.reason);
      if (!isExtending && activity.lastAt() - extended >= extendEvery) {
        isExtending = true;
        void readSession({ extend: true }).finally(() => {
          isExtending = false;
        });
      }
      setLimit(next.kind === 'open' ? null : next);
      // Timers run late on a machine that was asleep, so check often.
      timer = setTimeout(check, next.kind === 'idle_soon' ? 1_000 : Math.min(15_000, recheckOf(next)));
    };
    check();
    return () => clearTimeout(timer);
  }, [signIn, extended]);
  return limit;
}

const recheckOf = (limit: SessionLimit) => ('recheckIn' in limit ? limit.recheckIn : 15_000);

/** “4 minutes”, “1 minute” or “30 seconds”, rounded up. */
function minutesLeft(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
