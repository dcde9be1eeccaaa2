import { formatMoney } from '@keyturn/format/money';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { grossOf } from '../../ui/forms/entered-price.ts';
import { SelectField, TextAreaField, TextField } from '../../ui/forms/fields.tsx';
import { EditedItem, useEditedItems } from './edited-item.tsx';
import {
  type EnteredCatalogueSearch,
  enteredCatalogue,
  newSearch,
  toCatalogue,
} from './entered-catalogue.ts';
import { fieldPath, moved, problemInWords, replaced, unusedId, without } from './entered-members.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins change the searches that staff can add to a case. */
export default function SearchCataloguePage() {
  const settings = useVersioned('GET /staff/search-catalogue', enteredCatalogue);
  const save = useSave(settings, {
    toValue: toCatalogue,
    send: (body) => callStaff('PUT /staff/search-catalogue', { body }),
    changed: 'Search catalogue saved.',
    restored: 'Search catalogue restored.',
  });
  return (
    <>
      <PageHead title="Search catalogue">
        The searches that staff can add to a case. The prices that Keyturn ships are examples: set yours. A
        change applies to searches that are added from now on; searches of cases keep their price and words.
      </PageHead>
      <SettingsForm
        what="the search catalogue"
        settings={settings}
        onSave={save}
        placeOf={(field) => `Search ${Number(fieldPath(field)[1]) + 1}`}
      >
        {(errors) =>
          settings.current && (
            <Searches
              // Items of another version have different ids.
              key={settings.current.version}
              entered={settings.current.entered}
              onChange={settings.change}
              errors={errors}
            />
          )
        }
      </SettingsForm>
    </>
  );
}

function Searches({
  entered,
  onChange,
  errors,
}: {
  entered: EnteredCatalogueSearch[];
  onChange(entered: EnteredCatalogueSearch[]): void;
  errors: Record<string, string>;
}) {
  const { role } = useMember();
  const items = useEditedItems();
  const problemOf = (index: number) =>
    Object.entries(errors)
      .filter(([field]) => fieldPath(field)[1] === String(index))
      .map(([field, message]) => problemInWords(field, message))
      .join('. ') || undefined;
  return (
    <div ref={items.box}>
      {entered.length === 0 && (
        <EmptyState title="There are no searches."> Staff can’t choose one.</EmptyState>
      )}
      <ol className={styles.list}>
        {entered.map((search, index) => (
          <EditedItem
            key={search.id}
            id={search.id}
            items={items}
            name={search.name || 'New search'}
            summary={summaryOf(search)}
            problem={problemOf(index)}
            moves={([-1, 1] as const).filter((by) => entered[index + by] !== undefined)}
            onMove={(by) => onChange(moved(entered, index, by))}
            onRemove={() => onChange(without(entered, search.id))}
          >
            <SearchFields search={search} onChange={(changed) => onChange(replaced(entered, changed))} />
          </EditedItem>
        ))}
      </ol>
      {role === 'admin' && (
        <Button
          onClick={() => {
            const id = unusedId(entered);
            onChange([...entered, { ...newSearch, id }]);
            items.showNew(id);
          }}
        >
          Add a search
        </Button>
      )}
    </div>
  );
}

function summaryOf(search: EnteredCatalogueSearch): string {
  const gross = grossOf(search);
  return `${search.code}${gross === null ? '' : `, ${formatMoney(gross)} with VAT`}`;
}

function SearchFields({
  search,
  onChange,
}: {
  search: EnteredCatalogueSearch;
  onChange(search: EnteredCatalogueSearch): void;
}) {
  const fieldOf = (name: Exclude<keyof EnteredCatalogueSearch, 'id' | 'required_by'>) => ({
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
