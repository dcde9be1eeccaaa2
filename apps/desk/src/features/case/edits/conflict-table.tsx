import { formatShortDay } from '@keyturn/format/dates';
import styles from '../case.module.css';
import type { EditField } from './edit-fields.tsx';
import type { Conflict } from './form-values.ts';

/** Shows the colleague’s stored values next to the member’s entries. */
export function ConflictTable<Name extends string>({
  conflicts,
  fields,
}: {
  conflicts: readonly Conflict<Name>[];
  fields: readonly EditField<Name>[];
}) {
  const fieldOf = (name: Name) => fields.find((field) => field.name === name);
  // Fields that the form no longer has, such as the price once a payment has started, cannot be overwritten.
  const shown = conflicts.filter(({ name }) => fieldOf(name));
  return (
    <table className={styles.conflicts}>
      <caption>Changed meanwhile. Your entries are still below: saving now overwrites only these.</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Now</th>
          <th scope="col">You</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ name, mine, theirs, isOverwritten }) => (
          <tr key={name}>
            <th scope="row">{fieldOf(name)?.label}</th>
            <td>{shownValue(theirs, fieldOf(name))}</td>
            <td>{isOverwritten ? shownValue(mine, fieldOf(name)) : 'Not changed'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shownValue(value: string, field: EditField<string> | undefined): string {
  if (value === '') return 'Nothing';
  if (field?.kind === 'day') return formatShortDay(value);
  return field?.options?.find((option) => option.value === value)?.name ?? value;
}
