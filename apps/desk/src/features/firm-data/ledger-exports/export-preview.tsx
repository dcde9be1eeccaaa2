import { useAction } from '@keyturn/browser/action/use-action.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useState } from 'react';
import { errorText, fieldErrorsOf } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState } from '../../../ui/base/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { fieldPath, problemInWords } from '../entered-members.ts';
import styles from '../firm-data.module.css';
import { type EnteredExport, toExport } from './entered-exports.ts';

interface Preview {
  headings: string[];
  rows: string[][];
}

/** The latest movements in a format as it is entered, also before it is saved. */
export function ExportPreview({ format }: { format: EnteredExport }) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const { isBusy, failure, run } = useAction();
  const show = async () =>
    setPreview(await callStaff('POST /staff/ledger/preview', { body: { profile: toExport(format) } }));
  const problems = Object.entries(fieldErrorsOf(failure)).map(([field, message]) => {
    const [, part, column] = fieldPath(field);
    return `${part === 'columns' && column ? `Column ${Number(column) + 1}, ` : ''}${problemInWords(field, message)}`;
  });
  return (
    <>
      <div className={styles.notice}>
        <Button busy={isBusy} busyText="Loading…" onClick={() => void run(show)}>
          Preview the latest movements
        </Button>
      </div>
      {failure !== null && (
        <Alert tone="danger">{problems.length > 0 ? `${problems.join('. ')}.` : errorText(failure)}</Alert>
      )}
      {preview && (
        <Table
          label={`Latest movements in ${format.name || 'this format'}`}
          columns={preview.headings.map((heading, place) => ({
            key: String(place),
            heading,
            isRowHeader: place === 0,
            cell: ({ cells }: PreviewRow) => cells[place] ?? '',
          }))}
          query={{
            data: preview.rows.map((cells, index) => ({ id: String(index), cells })),
            error: null,
            isFetching: false,
            refetch: () => undefined,
          }}
          keyOf={({ id }) => id}
          empty={<EmptyState title="There are no movements yet." />}
        />
      )}
    </>
  );
}

interface PreviewRow {
  id: string;
  cells: string[];
}
