import { AddAuthenticator } from '@keyturn/ui/factors/add-authenticator.tsx';
import { AddPasskey } from '@keyturn/ui/factors/add-passkey.tsx';
import type { AddFactorProps } from '@keyturn/ui/factors/factor-kit.ts';
import { RecoveryCodes } from '@keyturn/ui/factors/recovery-codes.tsx';
import { getConfig } from '../../../api/config.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { addPasskey } from '../../../api/passkeys.ts';
import { deskKit } from '../../../ui/factors/desk-kit.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';

type DeskFactorProps = Omit<AddFactorProps, 'kit'>;

/** Adds a passkey of the member. */
export const AddOwnPasskey = (props: DeskFactorProps) => (
  <AddPasskey {...props} kit={deskKit} add={addPasskey} />
);

/** Adds an authenticator app of the member. */
export const AddOwnAuthenticator = (props: DeskFactorProps) => (
  <AddAuthenticator
    {...props}
    kit={deskKit}
    start={() => callStaff('POST /staff/authenticators')}
    activate={({ id, ...body }) =>
      callStaff('POST /staff/authenticators/{id}/activate', { params: { id }, body })
    }
  />
);

/** The member’s new recovery codes. */
export const OwnRecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone(): void }) => (
  <RecoveryCodes
    kit={deskKit}
    codes={codes}
    productName={getConfig().product_name}
    onCopied={() => showToast('The codes are copied.')}
    onDone={onDone}
  />
);
