import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useState } from 'react';
import { Button } from '../../ui/base/button.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { SelectField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import styles from './integrations.module.css';

export interface WithSecret {
  onClose(): void;
  onSecret(secret: string): Promise<void>;
}

type Overlap = '24' | '1' | '168' | '0';
const overlaps: readonly { value: Overlap; name: string }[] = [
  { value: '24', name: '24 hours' },
  { value: '1', name: '1 hour' },
  { value: '168', name: '7 days' },
  { value: '0', name: 'Stop it now: it has leaked' },
];

/** Gives a key or an endpoint a new secret. */
export function RotateSecretDialog({
  name,
  hint,
  rotate,
  onClose,
  onSecret,
}: WithSecret & {
  name: string;
  /** Explains the purpose of the overlap. */
  hint: string;
  /** @returns the new secret */
  rotate(overlapHours: number): Promise<{ secret: string }>;
}) {
  const [overlap, setOverlap] = useState<Overlap>('24');
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Replace the secret of ${name}?`}
      action="Replace the secret"
      onSubmit={async () => {
        const { secret } = await rotate(Number(overlap));
        // Runs after this dialog has closed itself.
        setTimeout(() => void onSecret(secret));
      }}
    >
      <SelectField<Overlap>
        label="Keep the previous secret working for"
        hint={hint}
        value={overlap}
        options={overlaps}
        onChoose={setOverlap}
      />
    </FormDialog>
  );
}

/** Shows a secret once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy the secret now"
      actions={
        <>
          <Button onClick={onClose}>I have copied it</Button>
          <Button
            look="primary"
            onClick={() =>
              void navigator.clipboard
                .writeText(secret)
                .then(() => showToast('The secret is copied.'))
                .catch(() =>
                  showToast('This browser doesn’t allow copying. Select the secret.', { tone: 'danger' }),
                )
            }
          >
            Copy
          </Button>
        </>
      }
    >
      <p>It can’t be shown again. Keep it as safe as a password.</p>
      <p className={styles.secret}>{secret}</p>
    </Dialog>
  );
}
