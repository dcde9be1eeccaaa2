import type { CaseFilter } from '@keyturn/contract/staff';
import { matterTypeNames } from '@keyturn/format/matter-names';
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

const promiseNames: Record<NonNullable<CaseFilter['promise']>, string> = {
  missed: 'Missed',
  none: 'None given',
};

type Options = readonly (readonly [value: string, name: string])[];

/** The search field, the filters and the saved views of the list of cases. */
export function CaseFilters({
  filter,
  onChange,
}: {
  filter: CaseFilter;
  onChange(change: Partial<CaseFilter>): void;
}) {
  const { data } = useCaseFilters();
  const { steps = [], handlers = [] } = data ?? {};
  const choices: [name: keyof CaseFilter, label: string, options: Options][] = [
    ['status', 'Status', Object.entries(statusNames)],
    ['handler', 'Handler', handlers.map(({ email, name }) => [email, name])],
    ['matter_type', 'Type', Object.entries(matterTypeNames)],
    ['step', 'Step', steps.map(({ key, title }) => [key, title])],
    ['waiting_on', 'Step is with', Object.entries(actorNames)],
    ['promise', 'Promise', Object.entries(promiseNames)],
  ];
  const choose = (name: keyof CaseFilter) => (value: string) =>
    onChange({ [name]: value || undefined } as Partial<CaseFilter>);
  return (
    <>
      <Toolbar label="Search and views">
        <Search text={filter.q ?? ''} onSearch={choose('q')} />
        <SavedViews filter={filter} />
      </Toolbar>
      <div className={styles.filters}>
        <Toolbar label="Filters">
          {choices.map(([name, label, options]) => (
            <Choice key={name} label={label} value={filter[name]} options={options} onChoose={choose(name)} />
          ))}
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
  options: Options;
  onChoose(value: string): void;
}) {
  // A value from an address that is no longer a choice.
  const isKnown = value === '' || options.some(([known]) => known === value);
  return (
    <SelectField
      label={label}
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

/** The delay, in milliseconds, between the last key and the search. */
const searchPause = 250;

/** Searches when typing pauses, and follows other changes of the address. */
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
