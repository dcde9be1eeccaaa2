import { maxListedProblems, type Spreadsheet, type SpreadsheetReport } from '@keyturn/contract/staff';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { Section } from '../../ui/base/page.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { Table } from '../../ui/table/table.tsx';
import styles from './spreadsheet.module.css';

const count = (number: number, singular: string) =>
  `${number.toLocaleString('en-GB')} ${number === 1 ? singular : `${singular}s`}`;
export const cases = (number: number) => count(number, 'case');
export const clients = (number: number) => count(number, 'client');
const rows = (number: number) => count(number, 'row');

/** The progress of a check or an import. */
export const Progress = ({ spreadsheet: { state, done, rows: total } }: { spreadsheet: Spreadsheet }) => (
  <p role="status">
    {state === 'checking' ? 'Checking' : 'Importing'}: {done.toLocaleString('en-GB')} of {rows(total)}. You
    can leave this page and come back.
  </p>
);

/** The results of a check or an import. */
export function Report({ spreadsheet: { id, state, report } }: { spreadsheet: Spreadsheet }) {
  if (!report) return null;
  return (
    <>
      <Counts report={report} isDone={state === 'imported'} />
      {report.rejected_rows > 0 && <Problems id={id} report={report} />}
    </>
  );
}

function Counts({ report, isDone }: { report: SpreadsheetReport; isDone: boolean }) {
  const { created, updated, unchanged } = report.cases;
  const lines: [number, string, string][] = [
    [created, cases(created), isDone ? 'added' : 'will be added'],
    [report.clients.created, clients(report.clients.created), isDone ? 'added' : 'will be added'],
    [updated, cases(updated), isDone ? 'changed' : 'will be changed'],
    [unchanged, cases(unchanged), 'without a change'],
    [report.rejected_rows, rows(report.rejected_rows), isDone ? 'left out' : 'will be left out'],
  ];
  return (
    <ul className={styles.counts}>
      {lines
        .filter(([number]) => number > 0)
        .map(([, subject, text]) => (
          <li key={subject + text}>
            <strong>{subject}</strong> {text}
          </li>
        ))}
    </ul>
  );
}

function Problems({ id, report }: { id: string; report: SpreadsheetReport }) {
  const save = async () => {
    try {
      const file = await callStaff('GET /staff/spreadsheets/{id}/rejected-rows', { params: { id } });
      saveFile(file, 'rows-not-imported.csv');
    } catch {
      showToast('The rows could not be downloaded. Try again.', { tone: 'danger' });
    }
  };
  return (
    <Section
      title="Rows with problems"
      actions={<Button onClick={() => void save()}>Download these rows with the reasons</Button>}
    >
      {report.problems.length >= maxListedProblems && (
        <p className={styles.note}>
          The list has the first {maxListedProblems} problems. The download has all of them.
        </p>
      )}
      <Table
        label="Problems"
        columns={[
          { key: 'row', heading: 'Place', isRowHeader: true, cell: ({ row }) => `Row ${row}` },
          { key: 'column', heading: 'Column', cell: ({ column }) => column ?? 'The whole row' },
          { key: 'reason', heading: 'Problem', cell: ({ reason }) => reason },
        ]}
        query={{
          data: report.problems.map((problem, index) => ({ ...problem, key: String(index) })),
          error: null,
          isFetching: false,
          refetch: () => undefined,
        }}
        keyOf={({ key }) => key}
        empty={null}
        isMain
      />
    </Section>
  );
}
