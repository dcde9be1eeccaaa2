import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseDialogProps } from '../case-part-props.ts';
import { type EditField, EditFields } from '../edits/edit-fields.tsx';

const fields: readonly EditField<'title' | 'explanation' | 'due_on'>[] = [
  {
    name: 'title',
    label: 'What the clients have to do',
    hint: 'For example “Send us your passport”.',
    maxLength: 200,
  },
  { name: 'explanation', label: 'Why, and how', kind: 'long-text', maxLength: 1000 },
  { name: 'due_on', label: 'By', hint: 'Leave it empty if there is no day.', kind: 'day' },
];

/** Adds a task for the clients that does not belong to a search, bill or document: its button calls the firm. */
export function AskDialog({ deskCase, changes, onClose }: CaseDialogProps) {
  // The same id for each attempt, so that a repeated request adds only one record.
  const [id] = useState(() => crypto.randomUUID());
  const [values, setValues] = useState({ title: '', explanation: '', due_on: '' });
  const ask = () =>
    changes.make(
      callStaff('POST /staff/cases/{id}/tasks', {
        params: { id: deskCase.id },
        body: {
          id,
          kind: 'contact_us',
          title: values.title.trim(),
          explanation: values.explanation.trim(),
          due_on: values.due_on || null,
          amount: null,
          matter_id: null,
          case_search_id: null,
          document_id: null,
        },
      }),
      'The clients see the task now.',
    );
  return (
    <FormDialog open title="Ask the clients for something" action="Ask" onSubmit={ask} onClose={onClose}>
      {(errors) => (
        <EditFields
          fields={fields}
          values={values}
          errors={errors}
          onChange={(name, value) => setValues({ ...values, [name]: value })}
        />
      )}
    </FormDialog>
  );
}
