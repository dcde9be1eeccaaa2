import { useAction } from '@keyturn/browser/action/use-action.ts';
import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { ConfirmForm, type Proof } from '@keyturn/ui/factors/confirm-form.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useId } from 'react';
import { errorText } from '../../api/client/staff-error.ts';
import { callStaff, identityRequest, startSession } from '../../api/desk-api.ts';
import { useOwnFactors } from '../../api/own-factors.ts';
import { confirmWithPasskey } from '../../api/passkeys.ts';
import { Button } from '../../ui/base/button.tsx';
import { deskKit } from '../../ui/factors/desk-kit.ts';

/** Asks the member to confirm who they are, when a call needs it. The call is then repeated. */
export function IdentityDialog() {
  const request = useStore(identityRequest);
  return request && <ConfirmDialog settle={request.settle} />;
}

function ConfirmDialog({ settle }: { settle(isConfirmed: boolean): void }) {
  const form = useId();
  const { isBusy, failure, run } = useAction();
  const confirm = (proof: Proof) =>
    run(async () => {
      startSession(await confirmWith(proof));
      settle(true);
    });
  return (
    <Dialog
      open
      onClose={() => settle(false)}
      title="Confirm that it’s you"
      actions={
        <>
          <Button onClick={() => settle(false)}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={isBusy} busyText="Checking…">
            Confirm
          </Button>
        </>
      }
    >
      <p>We ask so that no one else can make this change on a device you’ve left unlocked.</p>
      {failure !== null && (
        <Alert tone="danger" takesFocus>
          <p>{errorText(failure)}</p>
        </Alert>
      )}
      <Ways form={form} isBusy={isBusy} onConfirm={(proof) => void confirm(proof)} />
    </Dialog>
  );
}

/** Loads which ways the member has. */
function Ways({ form, isBusy, onConfirm }: { form: string; isBusy: boolean; onConfirm(proof: Proof): void }) {
  const factors = useOwnFactors();
  if (factors.error && !factors.data) {
    return (
      <LoadFailure
        what="Your ways to confirm"
        message={errorText(factors.error)}
        onRetry={() => void factors.refetch()}
        isTrying={factors.isFetching}
      />
    );
  }
  if (!factors.data) return <Skeleton lines={3} />;
  return <ConfirmForm kit={deskKit} form={form} own={factors.data} isBusy={isBusy} onConfirm={onConfirm} />;
}

function confirmWith(proof: Proof) {
  if (proof.kind === 'passkey') return confirmWithPasskey();
  const { kind: _, ...body } = proof;
  return callStaff('POST /staff/session/confirm', { body });
}
