import { Button } from '@keyturn/ui/base/button.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useEffect, useState } from 'react';
import { useServices } from '../../api/services/services.ts';
import { signOut } from '../../api/session/sign-out.ts';
import { useNavigate } from '../../navigation/navigation.tsx';
import { formatTimeLeft, idleState } from './idle-state.ts';

/** Warns an inactive client two minutes before signing them out, and offers to stay signed in. */
export function IdleWarning() {
  const services = useServices();
  const navigate = useNavigate();
  const { remaining, staySignedIn } = useIdleTimeout();
  const leave = () => {
    signOut(services);
    void navigate('/login', { replace: true });
  };
  return (
    <Dialog
      open={remaining !== null}
      onClose={() => remaining !== null && staySignedIn()}
      title="Are you still there?"
      actions={
        <>
          <Button onClick={staySignedIn}>Stay signed in</Button>
          <Button look="quiet" onClick={leave}>
            Sign out
          </Button>
        </>
      }
    >
      <p>
        To keep your case private, we’ll sign you out in <strong>{formatTimeLeft(remaining ?? 0)}</strong>.
      </p>
    </Dialog>
  );
}

/**
 * Signs the client out when the idle limit is reached.
 * @returns `remaining`: milliseconds until then, once the client has to be warned; null before
 */
function useIdleTimeout(): { remaining: number | null; staySignedIn(): void } {
  const services = useServices();
  const { activity, config } = services;
  const [remaining, setRemaining] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const check = () => {
      const state = idleState({
        lastAt: activity.lastAt(),
        now: Date.now(),
        idleAfter: config.session.idle_after,
      });
      if (state.kind === 'expired') return signOut(services, 'idle');
      setRemaining(state.kind === 'warned' ? state.remaining : null);
      // Timers run late on a machine that was asleep, so recheck often.
      timer = setTimeout(check, state.kind === 'warned' ? 1_000 : Math.min(state.recheckIn, 15_000));
    };
    check();
    return () => clearTimeout(timer);
  }, [services, activity, config]);
  const staySignedIn = () => {
    activity.record();
    setRemaining(null);
    // Resets the server's idle limit. If this fails, the next request does.
    services.call('GET /client').catch(() => undefined);
  };
  return { remaining, staySignedIn };
}
