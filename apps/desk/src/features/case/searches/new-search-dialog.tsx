import type { CatalogueSearch, DeskMatter, DeskSearch } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import { type ReactNode, useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { SelectField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import styles from '../case.module.css';
import type { CaseChanges } from '../case-queries.ts';
import { EditFields } from '../edits/edit-fields.tsx';
import {
  catalogueOptions,
  type EnteredSearch,
  giftHint,
  type NewSearchField,
  noSearch,
  paymentFields,
  proposedSearch,
  sameOnMatter,
  shownFields,
  supplierFields,
  toNewSearch,
} from './new-search.ts';
import { priceFields } from './search-price.ts';

export interface NewSearchDialogProps {
  title: string;
  action: string;
  /** A notice for the member above the form. */
  children?: ReactNode;
  matter: DeskMatter;
  /** The searches of the matter. */
  searches: readonly DeskSearch[];
  changes: CaseChanges;
  /** The searches to choose from; without it, the form starts with `start`. */
  catalogue?: readonly CatalogueSearch[];
  start?: EnteredSearch;
  /** The search that is cancelled in the same change. */
  replaced?: DeskSearch | undefined;
  onClose(): void;
}

/** The form of a search that is added to a matter. It keeps the entries until the server has stored them. */
export function NewSearchDialog(props: NewSearchDialogProps) {
  const { matter, changes, catalogue, replaced, onClose } = props;
  // The same id for each attempt, so that a repeated request adds only one record.
  const [id] = useState(() => crypto.randomUUID());
  const [values, setValues] = useState(props.start ?? noSearch);
  const isChosen = values.code !== '';
  const add = async () => {
    const search = toNewSearch(values);
    const replaces = replaced && { id: replaced.id, version: replaced.version };
    try {
      await changes.make(
        callStaff('POST /staff/matters/{id}/searches', {
          params: { id: matter.id },
          body: { id, ...search, ...(replaces ? { replaces } : {}) },
        }),
        describeAddedSearch,
      );
    } catch (error) {
      // If a colleague or a payment was faster, the next attempt replaces the state that is then stored.
      if (replaced) await changes.refresh();
      throw error;
    }
  };
  const choose = (code: string) => {
    const entry = catalogue?.find((other) => other.code === code);
    setValues(entry ? proposedSearch(entry, values) : noSearch);
  };
  return (
    <FormDialog
      open
      title={props.title}
      action={props.action}
      busyText="Adding"
      onSubmit={add}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {props.children}
          {catalogue && (
            <SelectField
              label="Search"
              hint={sameOnMatter(values.code, props.searches) ?? giftHint(values.code, matter.matter_type)}
              error={isChosen ? undefined : errors.code}
              value={values.code}
              options={catalogueOptions(catalogue)}
              onChoose={choose}
            />
          )}
          {isChosen && (
            <SearchForm
              values={values}
              errors={errors}
              onChange={(name, value) => setValues({ ...values, [name]: value })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Reports the stored search, because a repeated request keeps the content of the first one. */
const describeAddedSearch = ({ search: { name, status, price } }: { search: DeskSearch }): string =>
  status === 'awaiting_payment'
    ? `${name} is added. The clients can pay ${formatMoney(price.gross)} for it now.`
    : `${name} is added, and is to be ordered.`;

function SearchForm(props: {
  values: EnteredSearch;
  errors: Record<string, string>;
  onChange(name: NewSearchField, value: string): void;
}) {
  const { values, errors } = props;
  const hasFaultInside = shownFields.some(({ name }) => errors[name]);
  return (
    <>
      <EditFields {...props} fields={supplierFields} />
      <div className={styles.pair}>
        <EditFields {...props} fields={priceFields(values)} />
      </div>
      <EditFields {...props} fields={paymentFields(values)} />
      {/* Opened where a field inside needs a correction. */}
      <details key={hasFaultInside ? 'fault' : 'complete'} className={styles.details} open={hasFaultInside}>
        <summary>What the clients read about it</summary>
        <EditFields {...props} fields={shownFields} />
      </details>
    </>
  );
}
