import { Button } from '../../src/base/button.tsx';
import { Field } from '../../src/base/field.tsx';
import { AddAuthenticator } from '../../src/factors/add-authenticator.tsx';
import { AddPasskey } from '../../src/factors/add-passkey.tsx';
import { ConfirmForm } from '../../src/factors/confirm-form.tsx';
import type { FactorKit } from '../../src/factors/factor-kit.ts';
import { RecoveryCodes } from '../../src/factors/recovery-codes.tsx';
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
  PasswordField: ({ isSent: _, ...field }) => <Field {...field} type="password" />,
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
