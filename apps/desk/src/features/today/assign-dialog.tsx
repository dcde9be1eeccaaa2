import { type Today, type TodayItem, todayKinds } from '@keyturn/contract/staff';
import { useState } from 'react';
import { useMember } from '../../api/desk-api.ts';
import { SelectField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { kindTexts } from './today-kinds.ts';
import { useItemChanges } from './today-queries.ts';

/** Chooses the member to whom an item is assigned. */
export function AssignDialog({
  item,
  members,
  onClose,
}: {
  item: TodayItem;
  members: Today['members'];
  onClose: () => void;
}) {
  const { id: ownId } = useMember();
  const { change } = useItemChanges();
  const before = item.state.assigned_to?.id ?? '';
  const [chosen, setChosen] = useState(before === '' ? ownId : before);
  const roles: readonly string[] = todayKinds[item.kind].roles;
  const possible = members.filter(({ role }) => roles.includes(role));
  const nameOf = (id: string) => possible.find((member) => member.id === id)?.name ?? 'no one';
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Assign: ${kindTexts[item.kind].name}`}
      action="Assign"
      onSubmit={() =>
        change(
          item,
          { assigned_to: chosen || null },
          {
            done: chosen ? `Assigned to ${nameOf(chosen)}.` : 'No longer assigned.',
            undone: before ? `Assigned to ${nameOf(before)} again.` : 'No longer assigned.',
          },
        )
      }
    >
      {(errors) => (
        <>
          <p>
            {item.case.reference}: {item.case.title}
          </p>
          <SelectField
            label="Assign to"
            value={chosen}
            error={errors.assigned_to}
            options={[
              { value: '', name: 'No one' },
              ...possible.map(({ id, name }) => ({ value: id, name: id === ownId ? `${name} (you)` : name })),
            ]}
            onChoose={setChosen}
          />
        </>
      )}
    </FormDialog>
  );
}
