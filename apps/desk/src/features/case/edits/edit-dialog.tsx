import type { DeskCase } from '@keyturn/contract/staff';
import { type ReactNode, useState } from 'react';
import { codeOf } from '../../../api/client/staff-error.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseChanges } from '../case-queries.ts';
import { ConflictTable } from './conflict-table.tsx';
import { type EditField, EditFields, type EditFieldsProps } from './edit-fields.tsx';
import { type Conflict, changedFields, conflictsOf, type FormValues, rebase } from './form-values.ts';

/** The stored values of a record, as the form shows them. */
export interface StoredValues<Name extends string> {
  version: string;
  values: FormValues<Name>;
}

export interface EditDialogProps<Name extends string> {
  title: string;
  /** The fields, or a function that returns them for the current entries. */
  fields: readonly EditField<Name>[] | ((values: FormValues<Name>) => readonly EditField<Name>[]);
  /** How the fields are laid out: below each other by default. */
  layout?(form: EditFieldsProps<Name> & { setValues(values: FormValues<Name>): void }): ReactNode;
  /** The stored values when the dialog was opened. */
  stored: StoredValues<Name>;
  changes: CaseChanges;
  /** Finds the same record in a newer state of the case; null if it is gone. */
  find(newest: DeskCase): StoredValues<Name> | null;
  /** Saves the fields that were changed. @param values all entries @throws ApiError */
  save(changed: Partial<FormValues<Name>>, version: string, values: FormValues<Name>): Promise<unknown>;
  onClose(): void;
}

/**
 * A form for a record of the case. If a colleague has changed the record in the meantime, it shows both values side by
 * side and keeps the entries; saving again then overwrites the colleague’s values. The dialog is mounted only while it
 * is open.
 */
export function EditDialog<Name extends string>({
  title,
  fields,
  layout = (form) => <EditFields {...form} />,
  stored,
  changes,
  find,
  save,
  onClose,
}: EditDialogProps<Name>) {
  const [base, setBase] = useState(stored);
  const [values, setValues] = useState(stored.values);
  const [conflicts, setConflicts] = useState<Conflict<Name>[]>([]);
  const shownFields = typeof fields === 'function' ? fields(values) : fields;

  /** @returns whether the entries are already stored, by a request whose response was lost or by a colleague */
  const continueOnNewest = async (): Promise<boolean> => {
    const newest = find(await changes.reread());
    if (!newest) return false;
    const compared = { before: base.values, mine: values, theirs: newest.values };
    const merged = rebase(compared);
    setConflicts(conflictsOf(compared));
    setBase(newest);
    setValues(merged);
    return changedFields(newest.values, merged).length === 0;
  };

  const submit = async () => {
    const names = changedFields(base.values, values);
    if (names.length === 0) return;
    const changed = Object.fromEntries(names.map((name) => [name, values[name].trim()]));
    try {
      await save(changed as Partial<FormValues<Name>>, base.version, values);
    } catch (error) {
      if (codeOf(error) !== 'changed_meanwhile' || !(await continueOnNewest())) throw error;
    }
  };

  return (
    <FormDialog open title={title} action="Save" busyText="Saving" onSubmit={submit} onClose={onClose}>
      {(errors) => (
        <>
          {conflicts.length > 0 && <ConflictTable conflicts={conflicts} fields={shownFields} />}
          {layout({
            fields: shownFields,
            values,
            errors,
            onChange: (name, value) => setValues({ ...values, [name]: value }),
            setValues,
          })}
        </>
      )}
    </FormDialog>
  );
}
