import type { CancellationEdit, DeskCase } from '@keyturn/contract/staff';
import { formatDay } from '@keyturn/format/london-time';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog, type StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull, type FormValues } from '../edits/form-values.ts';
import { sendCancellation } from '../edits/send-edits.ts';

type Name = 'cancellation' | 'cancellation_ends_on' | 'cancellation_notice_given';

const periods = [
  { value: 'unknown', name: 'Not known' },
  { value: 'none', name: 'None: not consumers, or signed at our office' },
  { value: 'ends_on', name: 'Ends on a day' },
] as const;

const fieldsOf = ({ cancellation }: FormValues<Name>): readonly EditField<Name>[] => [
  {
    name: 'cancellation',
    label: 'The clients’ right to cancel our services',
    hint: 'It decides how they ask us to order a search.',
    kind: 'choice',
    options: periods,
  },
  ...(cancellation === 'ends_on'
    ? ([
        { name: 'cancellation_ends_on', label: 'Last day of the right to cancel', kind: 'day' },
        {
          name: 'cancellation_notice_given',
          label: 'We gave the clients the notice of the right to cancel and the cost of an early start.',
          kind: 'checkbox',
        },
      ] as const)
    : []),
];

const storedIn = (deskCase: DeskCase): StoredValues<Name> => ({
  version: deskCase.version ?? '',
  values: {
    cancellation: deskCase.cancellation ?? 'unknown',
    cancellation_ends_on: deskCase.cancellation_ends_on ?? '',
    cancellation_notice_given: deskCase.cancellation_notice_given ? 'yes' : '',
  },
});

/** Until when the clients can cancel the firm's services, which decides how they ask for a search to be ordered. */
export function Cancellation({ deskCase, changes, mayEdit }: CasePartProps) {
  const [isEditing, setIsEditing] = useState(false);
  const today = useToday();
  // A server of the last release does not send it.
  if (deskCase.cancellation === undefined) return null;
  return (
    <Section
      title="Right to cancel"
      actions={
        mayEdit && (
          <Button onClick={() => setIsEditing(true)} aria-label="Edit the right to cancel">
            Edit
          </Button>
        )
      }
    >
      <p>{textOf(deskCase, today)}</p>
      {isEditing && (
        <EditDialog
          title="Right to cancel"
          fields={fieldsOf}
          stored={storedIn(deskCase)}
          changes={changes}
          find={storedIn}
          save={(changed, version) =>
            changes.save(sendCancellation(deskCase.id), toEdit(changed, version), savedTexts)
          }
          onClose={() => setIsEditing(false)}
        />
      )}
    </Section>
  );
}

function textOf({ cancellation, cancellation_ends_on }: DeskCase, today: string): string {
  if (cancellation === 'none') return 'None: the clients are not consumers, or signed at our office.';
  if (!cancellation_ends_on)
    return 'Not known. Record the day once the clients have the notice of the right to cancel.';
  const verb = cancellation_ends_on < today ? 'Ended' : 'Ends';
  return `${verb} on ${formatDay(cancellation_ends_on)}. The notice and the cost of an early start were given.`;
}

const savedTexts = { done: 'Right to cancel saved.', undone: 'Change to the right to cancel undone.' };

function toEdit(
  { cancellation_notice_given: notice, ...changed }: Partial<FormValues<Name>>,
  version: string,
): CancellationEdit {
  const given = notice === undefined ? {} : { cancellation_notice_given: notice !== '' };
  return { version, changes: { ...emptyToNull(changed), ...given } as CancellationEdit['changes'] };
}
