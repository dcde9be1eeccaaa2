import { useAction } from '@keyturn/browser/action/use-action.ts';
import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import {
  type Spreadsheet,
  type SpreadsheetField,
  spreadsheetFieldNames,
  spreadsheetFields,
} from '@keyturn/contract/staff';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { errorText } from '../../api/client/staff-error.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button, LinkButton } from '../../ui/base/button.tsx';
import { FormButtons, SelectField } from '../../ui/forms/fields.tsx';
import styles from './spreadsheet.module.css';
import { importStepPath, isRunning, useKeepSpreadsheet } from './use-spreadsheet.ts';
import { WithSpreadsheet } from './with-spreadsheet.tsx';

/** The second step of an import: what each column contains. */
export default function ColumnsPage({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <WithSpreadsheet id={params.id ?? ''} title="What the columns contain">
      {(spreadsheet) =>
        isRunning(spreadsheet) || spreadsheet.state === 'imported' ? (
          <Redirect to={importStepPath(spreadsheet)} replace />
        ) : (
          <ColumnChoice spreadsheet={spreadsheet} />
        )
      }
    </WithSpreadsheet>
  );
}

const options: readonly { value: SpreadsheetField | ''; name: string }[] = [
  { value: '', name: 'Don’t import' },
  ...spreadsheetFieldNames.map((field) => ({ value: field, name: spreadsheetFields[field].label })),
];

/** Returns the required fields that no column contains. A client has a full name, or first names and a last name. */
function missingFields(chosen: readonly (SpreadsheetField | null)[]): SpreadsheetField[] {
  const hasName =
    chosen.includes('client_1_name') ||
    (chosen.includes('client_1_first_name') && chosen.includes('client_1_last_name'));
  return spreadsheetFieldNames.filter((field) =>
    field === 'client_1_name' ? !hasName : spreadsheetFields[field].isRequired && !chosen.includes(field),
  );
}

function ColumnChoice({ spreadsheet: { id, columns } }: { spreadsheet: Spreadsheet }) {
  const keep = useKeepSpreadsheet();
  const [, navigate] = useLocation();
  const [fields, setFields] = useState(columns.map(({ field }) => field));
  const { isBusy, failure, run } = useAction();
  // A field belongs to one column: choosing it takes it from the column that had it.
  const choose = (index: number, field: SpreadsheetField | null) =>
    setFields(fields.map((other, at) => (at === index ? field : other === field ? null : other)));
  const missing = missingFields(fields);
  const check = async () => {
    if (!fields.includes('case_reference'))
      throw new UserFacingError('Say which column has the case reference.');
    const body = { columns: fields };
    keep(await callStaff('POST /staff/spreadsheets/{id}/check', { params: { id }, body }));
    navigate(`/settings/import/${id}/check`);
  };
  return (
    <>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.failure}>
          <p>{errorText(failure)}</p>
        </Alert>
      )}
      <p>
        We guessed what we could from the headings. Correct it here; the next file with these headings needs
        no change.
      </p>
      {missing.length > 0 && (
        <p className={styles.note}>
          No column yet for: {missing.map((field) => spreadsheetFields[field].label).join(', ')}. New cases
          need them.
        </p>
      )}
      <ul className={styles.columns}>
        {columns.map(({ heading, samples }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order, and headings can be equal
          <li key={index}>
            <SelectField
              label={heading === '' ? `Column ${index + 1}, without a heading` : heading}
              hint={samples.length > 0 ? [...new Set(samples)].join(' · ') : 'No cells with content'}
              value={fields[index] ?? ''}
              options={options}
              onChoose={(value) => choose(index, value === '' ? null : value)}
            />
          </li>
        ))}
      </ul>
      <FormButtons>
        <Button look="primary" busy={isBusy} busyText="Starting…" onClick={() => void run(check)}>
          Check the rows
        </Button>
        <LinkButton to="/settings/import">Choose another file</LinkButton>
      </FormButtons>
    </>
  );
}
