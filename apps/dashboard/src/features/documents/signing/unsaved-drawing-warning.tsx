import { useBlocker } from '@tanstack/react-router';
import { useServices } from '../../../api/services/services.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';

/** Asks for confirmation before a client leaves the page and loses a drawn signature. Does not delay signing out. */
export function UnsavedDrawingWarning({ hasDrawing }: { hasDrawing: boolean }) {
  const { auth } = useServices();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasDrawing && auth.get() !== null && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasDrawing,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title="You haven’t signed yet"
      actions={
        <>
          <Button onClick={() => reset?.()}>Stay and sign</Button>
          <Button look="quiet" onClick={() => proceed?.()}>
            Leave without signing
          </Button>
        </>
      }
    >
      <p>If you leave now, you’ll lose your drawn signature and the document won’t be signed.</p>
    </Dialog>
  );
}
