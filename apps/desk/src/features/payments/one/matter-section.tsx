import type { StaffPaymentPage } from '@keyturn/contract/staff';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { propertyName } from '@keyturn/format/property-names';
import { useState } from 'react';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { ChoiceGroup } from '../../../ui/forms/choice-group.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import styles from '../payments.module.css';

interface MatterProps {
  payment: StaffPaymentPage;
  onChanged: () => Promise<void>;
}

/** Asks finance for the matter of a payment whose client named none. */
export function MatterSection({ payment, onChanged }: MatterProps) {
  const { role } = useMember();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title="Which matter is it for?">
      <div className={styles.decision}>
        <p>
          The client chose “The whole case, or I’m not sure”. Client money belongs to a client and a matter:
          ask the client or the handler, and name the matter by the next working day, before you reconcile.
        </p>
        {role === 'handler' ? (
          <p>Someone in finance names it.</p>
        ) : (
          <p className={styles.buttons}>
            <Button look="primary" onClick={() => setOpen(true)}>
              Name the matter
            </Button>
          </p>
        )}
      </div>
      {isOpen && <MatterDialog payment={payment} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function MatterDialog({
  payment: { id, matters_to_name: matters = [] },
  onChanged,
  onClose,
}: MatterProps & { onClose: () => void }) {
  const [matterId, setMatterId] = useState<string | null>(null);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Name the matter"
      action="Name this matter"
      busyText="Saving…"
      onSubmit={async () => {
        if (matterId === null) throw invalidForm({ matter_id: 'Choose a matter.' });
        const body = { matter_id: matterId };
        await callStaff('POST /staff/payments/{id}/matter', { params: { id }, body });
        showToast('The matter is named.');
        await onChanged();
      }}
    >
      {(errors) => (
        <>
          <ChoiceGroup
            legend="The payment is for"
            choices={matters.map((matter) => ({
              value: matter.id,
              name: `${matterTypeNames[matter.matter_type]} of ${propertyName(matter.property)}`,
              hint: matter.reference,
            }))}
            value={matterId}
            onChoose={setMatterId}
            error={errors.matter_id}
          />
          <p>
            This can’t be changed here afterwards. The ledger names it from now on, and so do receipts that
            are made from now on.
          </p>
        </>
      )}
    </FormDialog>
  );
}
