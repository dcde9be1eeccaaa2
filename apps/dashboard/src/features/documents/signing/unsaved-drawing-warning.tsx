import { Button } from '@keyturn/ui/base/button.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useServices } from '../../../api/services/services.ts';
import { useAskBeforeLeaving } from '../../../navigation/use-ask-before-leaving.ts';

/** Asks for confirmation before a client leaves the page and loses a drawn signature. Does not delay signing out. */
export function UnsavedDrawingWarning({ hasDrawing }: { hasDrawing: boolean }) {
  const { auth } = useServices();
  const { leave, stay } = useAskBeforeLeaving(() => hasDrawing && auth.get() !== null);
  return (
    <Dialog
      open={leave !== null}
      onClose={stay}
      title="You haven’t signed yet"
      actions={
        <>
          <Button onClick={stay}>Stay and sign</Button>
          <Button look="quiet" onClick={() => leave?.()}>
            Leave without signing
          </Button>
        </>
      }
    >
      <p>If you leave now, you’ll lose your drawn signature and the document won’t be signed.</p>
    </Dialog>
  );
}
