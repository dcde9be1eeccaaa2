import { requestPasskey } from '@keyturn/ui/factors/browser-passkeys.ts';
import type { Proof } from '@keyturn/ui/factors/confirm-form.tsx';
import { IdentityDialog } from '@keyturn/ui/factors/identity-dialog.tsx';
import { useAccount } from '../../../api/queries/use-account.ts';
import { useServices } from '../../../api/services/services.ts';
import { accountKit } from '../account-kit.tsx';

/** Asks the client to confirm who they are. */
export const ClientIdentityDialog = ({ onSettled }: { onSettled(isConfirmed: boolean): void }) => (
  <IdentityDialog
    kit={accountKit}
    reason="We ask so that no one else can do this on a device you’ve left unlocked."
    own={useAccount()}
    confirm={useConfirm()}
    onSettled={onSettled}
  />
);

/** Returns the function that sends a proof to the server. */
function useConfirm(): (proof: Proof) => Promise<void> {
  const { call } = useServices();
  return async (proof) => {
    if (proof.kind !== 'passkey') {
      const { kind: _, ...body } = proof;
      return call('POST /account/confirm', { body });
    }
    const { options } = await call('POST /account/confirm/options');
    const credential = await requestPasskey(options);
    await call('POST /account/confirm/passkey', { body: { credential } });
  };
}
