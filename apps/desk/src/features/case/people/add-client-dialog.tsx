import type { DeskCase, ListedClient } from '@keyturn/contract/staff';
import { useDeferredValue, useState } from 'react';
import { errorText, invalidForm } from '../../../api/client/staff-error.ts';
import { useClientSearch } from '../../../api/client-search.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { ChoiceGroup } from '../../../ui/forms/choice-group.tsx';
import { TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseDialogProps } from '../case-part-props.ts';

/** Finds a client whom Keyturn already has, and lets them see the case. */
export function AddClientDialog({ deskCase, changes, onClose }: CaseDialogProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ListedClient | null>(null);
  const add = async () => {
    if (!chosen) throw invalidForm({ client_id: 'Search for the client, and choose them from the list.' });
    await changes.make(
      callStaff('PUT /staff/cases/{id}/clients/{client_id}', {
        params: { id: deskCase.id, client_id: chosen.id },
      }),
      `${chosen.name} can now see this case.`,
    );
  };
  return (
    <FormDialog open title="Add a client" action="Add to the case" onSubmit={add} onClose={onClose}>
      {(errors) => (
        <>
          <p>
            The client sees the whole case at once: documents, payments and history. New clients come from
            your case-management system or a spreadsheet.
          </p>
          <TextField
            label="Search by name, email address or reference"
            value={search}
            maxLength={200}
            autoComplete="off"
            error={errors.client_id}
            onChange={({ currentTarget }) => {
              setSearch(currentTarget.value);
              setChosen(null);
            }}
          />
          <FoundClients deskCase={deskCase} search={search} chosen={chosen} onChoose={setChosen} />
        </>
      )}
    </FormDialog>
  );
}

/** More are a reason to search for something longer. */
const maxShown = 8;

function FoundClients({
  deskCase,
  search,
  chosen,
  onChoose,
}: {
  deskCase: DeskCase;
  search: string;
  chosen: ListedClient | null;
  onChoose(client: ListedClient): void;
}) {
  const text = useDeferredValue(search.trim());
  const isSearch = text.length > 1;
  const found = useClientSearch(text, { enabled: isSearch });
  if (!isSearch) return null;
  if (found.error) return <p role="alert">{errorText(found.error)}</p>;
  if (!found.data) return <p role="status">Searching</p>;
  const present = new Set(deskCase.clients.map(({ id }) => id));
  const others = found.data.clients.filter(({ id }) => !present.has(id));
  if (others.length === 0) return <p role="status">No other client matches this search.</p>;
  return (
    <>
      <ChoiceGroup
        legend="Client"
        choices={others.slice(0, maxShown).map(({ id, name, email, case_references }) => ({
          value: id,
          name,
          hint: [email, case_references.join(', ') || 'no case'].join(' · '),
        }))}
        value={chosen?.id ?? null}
        onChoose={(id) => {
          const client = others.find((each) => each.id === id);
          if (client) onChoose(client);
        }}
      />
      {others.length > maxShown && <p role="status">More clients match. Type more of the name.</p>}
    </>
  );
}
