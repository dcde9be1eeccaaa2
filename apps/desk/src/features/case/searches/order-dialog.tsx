import type { DeskSearch } from '@keyturn/contract/staff';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseChanges } from '../case-queries.ts';

/** Records that a search was ordered. */
export function OrderDialog({
  search,
  changes,
  onClose,
}: {
  search: DeskSearch;
  changes: CaseChanges;
  onClose(): void;
}) {
  const [expectedOn, setExpectedOn] = useState(search.expected_on ?? '');
  const order = () =>
    changes.make(
      callStaff('POST /staff/searches/{id}/order', {
        params: { id: search.id },
        body: { version: search.version, expected_on: expectedOn || null },
      }),
      `${search.name} is ordered.`,
    );
  return (
    <FormDialog
      open
      title={`Record the order of ${search.name}`}
      action="Ordered"
      onSubmit={order}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>Clients see that it was ordered, and when you expect the result. This cannot be undone.</p>
          <TextField
            label="Expected on"
            type="date"
            value={expectedOn}
            error={errors.expected_on}
            onChange={({ currentTarget }) => setExpectedOn(currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
