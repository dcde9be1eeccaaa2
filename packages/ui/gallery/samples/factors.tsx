import { useState } from 'react';
import { Button } from '../../src/base/button.tsx';
import { Field } from '../../src/base/field.tsx';
import { AddAuthenticator } from '../../src/factors/add-authenticator.tsx';
import { AddPasskey } from '../../src/factors/add-passkey.tsx';
import { ConfirmForm } from '../../src/factors/confirm-form.tsx';
import type { FactorKit } from '../../src/factors/factor-kit.ts';
import { FactorList } from '../../src/factors/factor-list.tsx';
import { IdentityDialog } from '../../src/factors/identity-dialog.tsx';
import { RecoveryCodes } from '../../src/factors/recovery-codes.tsx';
import { PasswordField } from '../../src/forms/password-field.tsx';
import type { Samples } from './samples.ts';

const kit: FactorKit = {
  Button,
  Field,
  Form: ({ children, onSubmit, ...rest }) => (
    <form {...rest} onSubmit={onSubmit}>
      {children}
    </form>
  ),
  Buttons: ({ children }) => <div>{children}</div>,
  PasswordField,
  errorText: () => 'The server can’t be reached.',
};

const doNothing = () => {};
const added = () => Promise.resolve({ recovery_codes: null });
const secret = {
  id: 'secret',
  secret: 'KEYTURN2KEYTURN3',
  uri: 'otpauth://totp/Keyturn:amelia@example.test?secret=KEYTURN2KEYTURN3&issuer=Keyturn',
};
const newSecret = () => Promise.resolve(secret);
const adding = { kit, onAdded: doNothing, onCancel: doNothing, heading: 'h3' } as const;

/** Passkeys, authenticator apps and recovery codes. */
export const factorSamples: Samples = {
  'Add passkey': () => <AddPasskey {...adding} add={added} />,
  'Add authenticator': () => <AddAuthenticator {...adding} start={newSecret} activate={added} />,
  'Confirm form': (id) =>
    (['passkey', 'authenticator'] as const).map((kind) => (
      <ConfirmForm
        key={kind}
        kit={kit}
        form={`${id}-${kind}`}
        own={{ factors: [{ kind }], recovery_codes_left: 8 }}
        isBusy={false}
        onConfirm={doNothing}
      />
    )),
  'Factor list': () => (
    <FactorList
      kit={kit}
      factors={[
        {
          id: '1',
          kind: 'passkey',
          name: 'My phone',
          created_at: '2026-11-02T09:30:00Z',
          last_used_at: null,
        },
      ]}
      styles={{}}
      onOpen={doNothing}
    />
  ),
  'Identity dialog': () => <OpenedIdentityDialog />,
  'Recovery codes': () => (
    <RecoveryCodes
      kit={kit}
      codes={['6Q2M-WX4K', 'P9DT-3HVA', 'ZB7R-8NCE']}
      productName="Keyturn"
      onCopied={doNothing}
      onDone={doNothing}
    />
  ),
};

function OpenedIdentityDialog() {
  const [isOpen, setOpen] = useState(false);
  const data = { factors: [{ kind: 'authenticator' } as const], recovery_codes_left: 8 };
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Open the dialog
      </Button>
      {isOpen && (
        <IdentityDialog
          kit={kit}
          reason="We ask so that no one else can do this on a device you’ve left unlocked."
          own={{ data, error: null, isFetching: false, refetch: doNothing }}
          confirm={() => Promise.resolve()}
          onSettled={() => setOpen(false)}
        />
      )}
    </>
  );
}
