import { useAction } from '@keyturn/browser/action/use-action.ts';
import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import { maxSpreadsheetBytes, type SpreadsheetEncoding, spreadsheetEncodings } from '@keyturn/contract/staff';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, errorText } from '../../api/client/staff-error.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { PageHead, Section } from '../../ui/base/page.tsx';
import styles from './spreadsheet.module.css';
import { importStepPath, useKeepSpreadsheet } from './use-spreadsheet.ts';

/** The first step of an import: the template, and the file. */
export default function FilePage() {
  const id = useId();
  const keep = useKeepSpreadsheet();
  const [, navigate] = useLocation();
  const template = useAction();
  const { isBusy, failure: uploadFailure, run } = useAction();
  const failure = uploadFailure ?? template.failure;
  const saveTemplate = async () =>
    saveFile(await callStaff('GET /staff/spreadsheets/template'), 'keyturn-cases.csv');
  const [chosen, setChosen] = useState<File | null>(null);
  const upload = async (file: File, encoding?: SpreadsheetEncoding) => {
    setChosen(file);
    if (file.size > maxSpreadsheetBytes)
      throw new UserFacingError('This file is larger than 10 MB. Divide it, and import each part.');
    const spreadsheet = await callStaff('POST /staff/spreadsheets', {
      query: { file_name: file.name.slice(-200), ...(encoding ? { encoding } : {}) },
      file: new Blob([file], { type: 'application/octet-stream' }),
      timeout: 60_000,
    });
    keep(spreadsheet);
    navigate(importStepPath(spreadsheet));
  };
  return (
    <>
      <PageHead title="Import cases">
        From a spreadsheet, in which one row is one case with its property, handler and clients. You see what
        would be imported before anything is stored.
      </PageHead>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.failure}>
          <p>{errorText(failure)}</p>
          {chosen && (
            <Readings failure={failure} onChoose={(encoding) => void run(() => upload(chosen, encoding))} />
          )}
        </Alert>
      )}
      <Section title="1. Prepare the file">
        <p>
          Fill in the template, or use your own columns. In Excel, save it as “CSV UTF-8 (comma delimited)”.
        </p>
        <p className={styles.template}>
          <Button onClick={() => void template.run(saveTemplate)}>Download the template</Button>
        </p>
      </Section>
      <Section title="2. Choose the file">
        <label htmlFor={id} className={styles.label}>
          CSV file, up to 10 MB and 5,000 rows
        </label>
        <input
          id={id}
          className={styles.file}
          type="file"
          accept=".csv,.txt,text/csv"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void run(() => upload(file));
            // Cleared, so that the same file can be chosen again once it is corrected.
            currentTarget.value = '';
          }}
        />
        <p className={styles.note} aria-live="polite">
          {isBusy
            ? 'Please wait…'
            : 'We delete the file once it is imported, or after an hour. Only you can see it.'}
        </p>
      </Section>
    </>
  );
}

/** Asks how a file is encoded, with a sample of what each encoding would read. */
function Readings({
  failure,
  onChoose,
}: {
  failure: unknown;
  onChoose(encoding: SpreadsheetEncoding): void;
}) {
  const errors = failure instanceof ApiError ? failure.errors : {};
  const readings = spreadsheetEncodings.flatMap((encoding) =>
    (errors[encoding] ?? []).map((sample) => ({ encoding, sample })),
  );
  if (readings.length === 0) return null;
  return (
    <>
      <p>Or continue with this file. Which of these is right?</p>
      <p className={styles.readings}>
        {readings.map(({ encoding, sample }) => (
          <Button key={encoding} onClick={() => onChoose(encoding)}>
            {sample}
          </Button>
        ))}
      </p>
    </>
  );
}
