import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useServices } from '../../api/services/services.ts';
import { signOut } from '../../api/session/sign-out.ts';
import { Button } from '../../ui/base/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { idleState, timeLeft } from './idle-state.ts';

/** Two minutes before a sign-in that nobody uses ends, it says so and can be kept. */
export function IdleWarning() {
  const services = useServices();
  const navigate = useNavigate();
  const { left, stay } = useTimeLeft();
  const leave = () => {
    signOut(services);
    void navigate({ to: '/login', search: {}, replace: true });
  };
  return (
    <Dialog
      open={left !== null}
      onClose={() => left !== null && stay()}
      title="Are you still there?"
      actions={
        <>
          <Button onClick={stay}>Stay signed in</Button>
          <Button look="quiet" onClick={leave}>
            Sign out
          </Button>
        </>
      }
    >
      <p>
        To keep your case private, we sign you out in <strong>{timeLeft(left ?? 0)}</strong>.
      </p>
    </Dialog>
  );
}

/** `left`: milliseconds until the sign-in ends, from the warning on; null before. Ends it at the end. */
function useTimeLeft(): { left: number | null; stay(): void } {
  const services = useServices();
  const { activity, config } = services;
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const state = idleState({
        lastAt: activity.lastAt(),
        now: Date.now(),
        idleAfter: config.session.idle_after,
      });
      if (state.kind === 'over') return signOut(services, 'idle');
      setLeft(state.kind === 'warned' ? state.left : null);
      // A machine that slept wakes up late: never believe a timer for long.
      timer = setTimeout(look, state.kind === 'warned' ? 1_000 : Math.min(state.lookAgainIn, 15_000));
    };
    look();
    return () => clearTimeout(timer);
  }, [services, activity, config]);
  const stay = () => {
    activity.record();
    setLeft(null);
    // Tells the server; should that fail, what the page asks next tells it.
    services.call('GET /client', {}).catch(() => undefined);
  };
  return { left, stay };
}
