import type { CatalogueSearch } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import { useRef } from 'react';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { useUndo } from '../../ui/feedback/use-undo.ts';
import { grossOf } from '../../ui/forms/entered-price.ts';
import { SelectField, TextAreaField, TextField } from '../../ui/forms/fields.tsx';
import { type EnteredSearch, enteredCatalogue, moved, newSearch, toCatalogue } from './entered-catalogue.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useVersioned } from './use-versioned.ts';

/** Where admins change the searches that staff can add to a case. */
export default function SearchCataloguePage() {
  const settings = useVersioned('GET /staff/search-catalogue', enteredCatalogue);
  const offerUndo = useUndo();
  const save = async () => {
    if (!settings.current || !settings.stored) return;
    const { version, entered } = settings.current;
    const { value: before } = settings.stored;
    const send = (from: number, value: CatalogueSearch[]) =>
      callStaff('PUT /staff/search-catalogue', { body: { version: from, value } });
    const changed = await send(version, toCatalogue(entered));
    settings.accept(changed);
    offerUndo({
      text: 'The search catalogue is changed.',
      undo: async () => settings.accept(await send(changed.version, before)),
      undone: 'The search catalogue is as it was before.',
    });
  };
  return (
    <>
      <PageHead title="Search catalogue">
        The searches that staff can add to a case. The prices that Keyturn ships are examples: set yours. A
        change applies to searches that are added from now on; searches of cases keep their price and words.
      </PageHead>
      <SettingsForm what="the search catalogue" settings={settings} onSave={save}>
        {() => settings.current && <Searches entered={settings.current.entered} onChange={settings.change} />}
      </SettingsForm>
    </>
  );
}

function Searches({
  entered,
  onChange,
}: {
  entered: EnteredSearch[];
  onChange(entered: EnteredSearch[]): void;
}) {
  const { role } = useMember();
  const list = useRef<HTMLOListElement>(null);
  const focusLater = (selector: string) =>
    // After the list has its new order.
    setTimeout(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const move = (index: number, by: -1 | 1) => {
    onChange(moved(entered, index, by));
    focusLater(`li:nth-child(${index + by + 1}) [data-move="${by}"]`);
  };
  return (
    <>
      {entered.length === 0 && (
        <EmptyState title="There are no searches."> Staff can’t choose one.</EmptyState>
      )}
      <ol className={styles.list} ref={list}>
        {entered.map((search, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: codes can be the same while they are typed
          <li key={index}>
            <fieldset className={styles.card}>
              <legend>{search.name || 'New search'}</legend>
              <SearchFields
                search={search}
                onChange={(changed) =>
                  onChange(entered.map((other, place) => (place === index ? changed : other)))
                }
              />
              {role === 'admin' && (
                <div className={styles.moves}>
                  <Button
                    data-move="-1"
                    disabled={index === 0}
                    aria-label={`Move ${search.name} up`}
                    onClick={() => move(index, -1)}
                  >
                    Move up
                  </Button>
                  <Button
                    data-move="1"
                    disabled={index === entered.length - 1}
                    aria-label={`Move ${search.name} down`}
                    onClick={() => move(index, 1)}
                  >
                    Move down
                  </Button>
                  <Button
                    look="plain"
                    aria-label={`Remove ${search.name || 'the new search'}`}
                    onClick={() => onChange(entered.filter((_other, place) => place !== index))}
                  >
                    Remove
                  </Button>
                </div>
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      {role === 'admin' && (
        <Button
          onClick={() => {
            onChange([...entered, newSearch]);
            focusLater('li:last-child input');
          }}
        >
          Add a search
        </Button>
      )}
    </>
  );
}

function SearchFields({
  search,
  onChange,
}: {
  search: EnteredSearch;
  onChange(search: EnteredSearch): void;
}) {
  const fieldOf = (name: Exclude<keyof EnteredSearch, 'required_by'>) => ({
    value: search[name],
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...search, [name]: currentTarget.value }),
  });
  const gross = grossOf(search);
  return (
    <div className={styles.wide}>
      <div className={styles.pair}>
        <TextField label="Name" maxLength={200} {...fieldOf('name')} />
        <TextField
          label="Code"
          maxLength={50}
          hint="Capitals and digits, such as CON29DW."
          {...fieldOf('code')}
        />
      </div>
      <TextField
        label="Supplier (optional)"
        maxLength={200}
        hint="Leave it empty if it depends on the property, such as the council."
        {...fieldOf('supplier')}
      />
      <TextAreaField label="What it tells the client" maxLength={1000} {...fieldOf('explanation')} />
      <div className={styles.pair}>
        <TextField label="Price without VAT, in pounds" inputMode="decimal" {...fieldOf('net')} />
        <TextField
          label="VAT, in percent"
          inputMode="decimal"
          hint={gross === null ? undefined : `Clients pay ${formatMoney(gross)}.`}
          {...fieldOf('vat_rate')}
        />
      </div>
      <TextAreaField label="Refund rule" maxLength={1000} {...fieldOf('refund_rule')} />
      <div className={styles.pair}>
        <SelectField
          label="Required by"
          value={search.required_by}
          options={requirements}
          onChoose={(required_by) => onChange({ ...search, required_by })}
        />
        <TextField label="Working days it takes, from" inputMode="numeric" {...fieldOf('from')} />
        <TextField label="To" inputMode="numeric" {...fieldOf('to')} />
      </div>
    </div>
  );
}

const requirements = [
  { value: 'lender', name: 'The lender' },
  { value: 'firm', name: 'Your firm' },
  { value: 'optional', name: 'No one: it is optional' },
] as const;
