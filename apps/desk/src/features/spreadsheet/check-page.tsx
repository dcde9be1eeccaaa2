import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { Spreadsheet, SpreadsheetReport } from '@keyturn/contract/staff';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Redirect, useLocation } from 'wouter';
import { errorText } from '../../api/client/staff-error.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button, LinkButton } from '../../ui/base/button.tsx';
import { FormButtons } from '../../ui/forms/fields.tsx';
import { cases, Progress, Report } from './report.tsx';
import styles from './spreadsheet.module.css';
import { importStepPath, useKeepSpreadsheet } from './use-spreadsheet.ts';
import { WithSpreadsheet } from './with-spreadsheet.tsx';

/** The third step of an import: what would be imported. */
export default function CheckPage({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <WithSpreadsheet id={params.id ?? ''} title="What will be imported">
      {(spreadsheet) => <Check spreadsheet={spreadsheet} />}
    </WithSpreadsheet>
  );
}

function Check({ spreadsheet }: { spreadsheet: Spreadsheet }) {
  const { id, state, report, failure } = spreadsheet;
  const keep = useKeepSpreadsheet();
  const [, navigate] = useLocation();
  const starting = useAction();
  if (state === 'checking') return <Progress spreadsheet={spreadsheet} />;
  if (state !== 'checked' && state !== 'failed') return <Redirect to={importStepPath(spreadsheet)} replace />;
  const start = async () => {
    keep(await callStaff('POST /staff/spreadsheets/{id}/import', { params: { id } }));
    navigate(`/settings/import/${id}/result`);
  };
  const changes = report ? report.cases.created + report.cases.updated : 0;
  const message = starting.failure === null ? failure : errorText(starting.failure);
  return (
    <>
      {message !== null && (
        <Alert tone="danger" takesFocus className={styles.failure}>
          <p>{message}</p>
        </Alert>
      )}
      <Report spreadsheet={spreadsheet} />
      {state === 'checked' && report && <p className={styles.note}>{importNotice(changes, report)}</p>}
      <FormButtons>
        {changes > 0 && state === 'checked' && (
          <Button
            look="primary"
            busy={starting.isBusy}
            busyText="Starting…"
            onClick={() => void starting.run(start)}
          >
            Import {cases(changes)}
          </Button>
        )}
        <LinkButton to={`/settings/import/${id}/columns`}>Back to the columns</LinkButton>
        <LinkButton to="/settings/import">Choose another file</LinkButton>
      </FormButtons>
    </>
  );
}

/** Notices before the import, or the reasons why it is not possible. */
function importNotice(changes: number, { rejected_rows: rejected }: SpreadsheetReport): string {
  if (changes > 0)
    return 'An import can’t be undone. New clients see nothing until you invite them; clients who can sign in see new cases at once.';
  return rejected > 0
    ? 'No row can be imported. Correct the rows, and choose the file again.'
    : 'All of this is stored already, so there is nothing to import.';
}
