import type { DatesEdit, DeskMatter } from '@keyturn/contract/staff';
import { formatDay } from '@keyturn/format/london-time';
import { useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog, type StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull } from '../edits/form-values.ts';
import { sendDates } from '../edits/send-edits.ts';
import { matterName } from '../matter-name.ts';

type DateField = 'target_exchange_on' | 'exchanged_on' | 'target_completion_on' | 'completed_on';

const fields: readonly EditField<DateField>[] = [
  { name: 'target_exchange_on', label: 'Exchange planned for', kind: 'day' },
  { name: 'exchanged_on', label: 'Exchanged on', kind: 'day' },
  { name: 'target_completion_on', label: 'Completion planned for', kind: 'day' },
  { name: 'completed_on', label: 'Completed on', kind: 'day' },
];

const storedDates = (matter: DeskMatter): StoredValues<DateField> => ({
  version: matter.version,
  values: {
    target_exchange_on: matter.target_exchange_on ?? '',
    exchanged_on: matter.exchanged_on ?? '',
    target_completion_on: matter.target_completion_on ?? '',
    completed_on: matter.completed_on ?? '',
  },
});

/** The days of exchange and completion of each matter. */
export function KeyDates({ deskCase, changes, mayEdit }: CasePartProps) {
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = deskCase.matters.find(({ id }) => id === editedId);
  return (
    <>
      {deskCase.matters.map((matter) => {
        const name = matterName(matter);
        return (
          <Section
            key={matter.id}
            title={deskCase.matters.length > 1 ? `Key dates: ${name}` : 'Key dates'}
            actions={
              mayEdit && (
                <Button
                  onClick={() => setEditedId(matter.id)}
                  aria-label={`Edit the key dates of the ${name}`}
                >
                  Edit
                </Button>
              )
            }
          >
            <dl className={styles.definitions}>
              {fields.map(({ name: field, label }) => (
                <div key={field}>
                  <dt>{label}</dt>
                  <dd>
                    {matter[field] ? (
                      formatDay(matter[field])
                    ) : (
                      <span className={styles.soft}>Not known</span>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
        );
      })}
      {edited && (
        <EditDialog
          title="Key dates"
          fields={fields}
          stored={storedDates(edited)}
          changes={changes}
          find={(newest) => {
            const found = newest.matters.find(({ id }) => id === edited.id);
            return found ? storedDates(found) : null;
          }}
          save={(changed, version) =>
            changes.save(sendDates(edited.id), toEdit(changed, version), savedTexts)
          }
          onClose={() => setEditedId(null)}
        />
      )}
    </>
  );
}

const savedTexts = { done: 'Key dates saved.', undone: 'Change to the key dates undone.' };

const toEdit = (changed: Partial<Record<DateField, string>>, version: string): DatesEdit => ({
  version,
  changes: emptyToNull(changed),
});
