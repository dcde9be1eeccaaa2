import { useStore } from '@keyturn/browser/store/create-store.ts';
import type { Proof } from '@keyturn/ui/factors/confirm-form.tsx';
import { IdentityDialog } from '@keyturn/ui/factors/identity-dialog.tsx';
import { callStaff, identityQuestion, startSession } from '../../api/desk-api.ts';
import { useOwnFactors } from '../../api/own-factors.ts';
import { confirmWithPasskey } from '../../api/passkeys.ts';
import { deskKit } from '../../ui/factors/desk-kit.ts';

/** Asks the member to confirm who they are, when a call needs it. The call is then repeated. */
export function MemberIdentityDialog() {
  const request = useStore(identityQuestion.open);
  return request && <RequestedDialog onSettled={request.settle} />;
}

const RequestedDialog = ({ onSettled }: { onSettled(isConfirmed: boolean): void }) => (
  <IdentityDialog
    kit={deskKit}
    reason="We ask so that no one else can make this change on a device you’ve left unlocked."
    own={useOwnFactors()}
    confirm={async (proof) => startSession(await confirmWith(proof))}
    onSettled={onSettled}
  />
);

function confirmWith(proof: Proof) {
  if (proof.kind === 'passkey') return confirmWithPasskey();
  const { kind: _, ...body } = proof;
  return callStaff('POST /staff/session/confirm', { body });
}
