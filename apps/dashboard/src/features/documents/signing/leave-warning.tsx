import { useBlocker } from '@tanstack/react-router';
import { useServices } from '../../../api/services/services.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';

/** Asks before a drawn signature is lost. The end of a sign-in does not wait for an answer. */
export function LeaveWarning({ isNeeded }: { isNeeded: boolean }) {
  const { auth } = useServices();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isNeeded && auth.get() !== null && current.pathname !== next.pathname,
    enableBeforeUnload: () => isNeeded,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title="You have not signed yet"
      actions={
        <>
          <Button onClick={() => reset?.()}>Stay and sign</Button>
          <Button look="quiet" onClick={() => proceed?.()}>
            Leave without signing
          </Button>
        </>
      }
    >
      <p>If you leave now, your drawn signature is lost. Nothing is signed.</p>
    </Dialog>
  );
}
