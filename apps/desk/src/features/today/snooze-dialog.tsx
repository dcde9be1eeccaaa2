import type { TodayItem } from '@keyturn/contract/staff';
import { addDays, formatDay, formatNearDay } from '@keyturn/format/london-time';
import { addWorkingDays } from '@keyturn/format/working-days';
import { useState } from 'react';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { kindTexts } from './today-kinds.ts';
import { useItemChanges } from './today-queries.ts';

const otherDay = 'other';

/** Chooses the day until which an item is hidden. */
export function SnoozeDialog({
  item,
  today,
  onClose,
}: {
  item: TodayItem;
  today: string;
  onClose: () => void;
}) {
  const { change } = useItemChanges();
  const days = [
    { value: addWorkingDays(today, 1, []), name: 'The next weekday' },
    { value: addWorkingDays(today, 3, []), name: 'In three weekdays' },
    { value: addDays(today, 7), name: 'In a week' },
  ];
  const [chosen, setChosen] = useState<string>(days[0]?.value ?? otherDay);
  const [other, setOther] = useState(addDays(today, 14));
  const until = chosen === otherDay ? other : chosen;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Snooze: ${kindTexts[item.kind].name}`}
      action="Snooze"
      onSubmit={() =>
        change(
          item,
          { snoozed_until: until },
          { done: `Snoozed until ${formatNearDay(until, today)}.`, undone: 'Back on the list.' },
        )
      }
    >
      {(errors) => (
        <>
          <p>It is hidden from everyone until that day, and appears earlier only if it happens again.</p>
          <SelectField
            label="Show it again"
            value={chosen}
            error={chosen === otherDay ? undefined : errors.snoozed_until}
            options={[
              ...days.map(({ value, name }) => ({ value, name: `${name}: ${formatDay(value)}` })),
              { value: otherDay, name: 'Another day' },
            ]}
            onChoose={setChosen}
          />
          {chosen === otherDay && (
            <TextField
              label="Day"
              type="date"
              required
              min={addDays(today, 1)}
              max={addDays(today, 366)}
              value={other}
              error={errors.snoozed_until}
              onChange={({ currentTarget }) => setOther(currentTarget.value)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
