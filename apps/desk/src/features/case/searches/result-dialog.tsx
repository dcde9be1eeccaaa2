import type { DeskSearch } from '@keyturn/contract/staff';
import { useState } from 'react';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseChanges } from '../case-queries.ts';
import { acceptedFiles, fileFault } from '../documents/file-rules.ts';
import { UploadProgress } from '../edits/upload-progress.tsx';
import { useUploadOnce } from '../edits/use-upload-once.ts';

const outcomes = [
  { value: 'none', name: 'Not reviewed yet' },
  { value: 'clear', name: 'Clear: no issues' },
  { value: 'attention', name: 'Points to note' },
] as const;
type OutcomeChoice = (typeof outcomes)[number]['value'];

/** Records the result of a search, with its file and outcome. */
export function ResultDialog({
  search,
  changes,
  onClose,
}: {
  search: DeskSearch;
  changes: CaseChanges;
  onClose(): void;
}) {
  const [outcome, setOutcome] = useState<OutcomeChoice>('none');
  const [summary, setSummary] = useState(search.outcome_summary ?? '');
  const [validUntil, setValidUntil] = useState(search.valid_until ?? '');
  const [file, setFile] = useState<File | null>(null);
  const { part, upload } = useUploadOnce();
  const record = async () => {
    const fault = file && fileFault(file);
    if (fault) throw invalidForm({ 'document.file_id': fault });
    const fileId = file ? await upload(file) : null;
    await changes.make(
      callStaff('POST /staff/searches/{id}/result', {
        params: { id: search.id },
        body: {
          version: search.version,
          outcome: outcome === 'none' ? null : outcome,
          outcome_summary: summary.trim() || null,
          valid_until: validUntil || null,
          document: file && fileId ? { file_id: fileId, file_name: file.name, title: search.name } : null,
        },
      }),
      `The result of ${search.name} is recorded.`,
    );
  };
  return (
    <FormDialog
      open
      title={`Record the result of ${search.name}`}
      action="Record the result"
      busyText="Recording"
      onSubmit={record}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            Clients see that the result is back. They see its file and what it says once you choose what you
            found. You can correct that and its validity later, but the search stays returned.
          </p>
          <TextField
            label="File of the result"
            type="file"
            accept={acceptedFiles}
            error={errors['document.file_id']}
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          />
          {file && <UploadProgress file={file} part={part} />}
          <SelectField
            label="What you found"
            value={outcome}
            options={outcomes}
            error={errors.outcome}
            onChoose={(choice) => setOutcome(choice)}
          />
          <TextAreaField
            label="In plain words"
            hint="What the result says, for the clients."
            rows={3}
            maxLength={1_000}
            value={summary}
            error={errors.outcome_summary}
            onChange={({ currentTarget }) => setSummary(currentTarget.value)}
          />
          <TextField
            label="Valid until"
            type="date"
            value={validUntil}
            error={errors.valid_until}
            onChange={({ currentTarget }) => setValidUntil(currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
