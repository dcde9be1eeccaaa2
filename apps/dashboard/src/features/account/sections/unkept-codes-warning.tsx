import { Button } from '@keyturn/ui/base/button.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useServices } from '../../../api/services/services.ts';
import { useAskBeforeLeaving } from '../../../navigation/use-ask-before-leaving.ts';

/** Asks for confirmation before a client leaves new recovery codes, which are shown once. Does not delay signing out. */
export function UnkeptCodesWarning() {
  const { auth } = useServices();
  const { leave, stay } = useAskBeforeLeaving(() => auth.get() !== null);
  return (
    <Dialog
      open={leave !== null}
      onClose={stay}
      title="Have you kept your recovery codes?"
      actions={
        <>
          <Button onClick={stay}>Stay and keep them</Button>
          <Button look="quiet" onClick={() => leave?.()}>
            Leave
          </Button>
        </>
      }
    >
      <p>You can’t see these codes again. If you don’t have them, make new ones on this page.</p>
    </Dialog>
  );
}
