import type { CaseFilter } from '@keyturn/contract/staff';
import { matterTypeNames } from '@keyturn/dashboard/api/case/matter-types.ts';
import { useEffect, useRef, useState } from 'react';
import { SearchField, SelectField } from '../../ui/forms/fields.tsx';
import { Toolbar } from '../../ui/forms/toolbar.tsx';
import { statusNames } from './case-filter.ts';
import { useCaseFilters } from './case-list-queries.ts';
import styles from './cases.module.css';
import { SavedViews } from './saved-views.tsx';

export const actorNames: Record<NonNullable<CaseFilter['waiting_on']>, string> = {
  you: 'The client',
  us: 'Us',
  other_side: 'The other side',
  third_party: 'A third party',
};

type Change = (change: Partial<CaseFilter>) => void;

/** The search field, the filters and the saved views of the list of cases. */
export function CaseFilters({ filter, onChange }: { filter: CaseFilter; onChange: Change }) {
  const { data } = useCaseFilters();
  const choose =
    <Name extends keyof CaseFilter>(name: Name) =>
    (value: string) =>
      onChange({ [name]: value || undefined } as Partial<CaseFilter>);
  const steps = data?.steps ?? [];
  const handlers = data?.handlers ?? [];
  return (
    <>
      <Toolbar label="Search and views">
        <Search text={filter.q ?? ''} onSearch={choose('q')} />
        <SavedViews filter={filter} />
      </Toolbar>
      <div className={styles.filters}>
        <Toolbar label="Filters">
          <Choice
            label="Status"
            value={filter.status}
            options={Object.entries(statusNames)}
            onChoose={choose('status')}
          />
          <Choice
            label="Handler"
            value={filter.handler}
            options={handlers.map(({ email, name }) => [email, name])}
            onChoose={choose('handler')}
          />
          <Choice
            label="Type"
            value={filter.matter_type}
            options={Object.entries(matterTypeNames)}
            onChoose={choose('matter_type')}
          />
          <Choice
            label="Step"
            value={filter.step}
            options={steps.map(({ key, title }) => [key, title])}
            onChoose={choose('step')}
          />
          <Choice
            label="Step is with"
            value={filter.waiting_on}
            options={Object.entries(actorNames)}
            onChoose={choose('waiting_on')}
          />
          <Choice
            label="Promise"
            value={filter.promise}
            options={[
              ['missed', 'Missed'],
              ['none', 'None given'],
            ]}
            onChoose={choose('promise')}
          />
        </Toolbar>
      </div>
    </>
  );
}

function Choice({
  label,
  value = '',
  options,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  options: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}) {
  // A value from an address that is not a choice any more.
  const isKnown = value === '' || options.some(([known]) => known === value);
  return (
    <SelectField
      label={label}
      isInline
      value={value}
      options={[
        { value: '', name: 'Any' },
        ...options.map(([known, name]) => ({ value: known, name })),
        ...(isKnown ? [] : [{ value, name: value }]),
      ]}
      onChoose={onChoose}
    />
  );
}

/** Milliseconds after the last key until the text is searched for. */
const searchPause = 250;

/** Searches when typing pauses, and follows the address when that changes otherwise. */
function Search({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [sent, setSent] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (text !== sent) {
    setSent(text);
    setTyped(text);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <SearchField
      label="Search cases by name, reference, address or postcode"
      placeholder="Name, reference, address or postcode"
      value={typed}
      onSearch={(value) => {
        const allowed = value.slice(0, 100);
        setTyped(allowed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          setSent(allowed);
          onSearch(allowed);
        }, searchPause);
      }}
    />
  );
}
