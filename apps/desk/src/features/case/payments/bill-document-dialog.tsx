import type { DeskBill } from '@keyturn/contract/staff';
import { useState } from 'react';
import { codeOf, invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseChanges } from '../case-queries.ts';
import { fileFault } from '../documents/file-rules.ts';
import { UploadProgress } from '../edits/upload-progress.tsx';
import { useUploadOnce } from '../edits/use-upload-once.ts';

/** Shares the PDF of a bill, or a newer version of it. */
export function BillDocumentDialog({
  bill,
  changes,
  onClose,
}: {
  bill: DeskBill;
  changes: CaseChanges;
  onClose(): void;
}) {
  const [version, setVersion] = useState(bill.version ?? '');
  const [file, setFile] = useState<File | null>(null);
  const { part, upload } = useUploadOnce();
  const isNewer = bill.document_id !== null && bill.document_id !== undefined;
  const share = async () => {
    if (!file) throw invalidForm({ file_id: 'Choose the PDF of the bill.' });
    const fault =
      file.type === 'application/pdf' ? fileFault(file) : 'Only a PDF can be the document of a bill.';
    if (fault) throw invalidForm({ file_id: fault });
    const fileId = await upload(file);
    const sharing = callStaff('POST /staff/bills/{id}/document', {
      params: { id: bill.id },
      body: { version, file_id: fileId, file_name: file.name.slice(-200) },
    });
    try {
      await changes.make(sharing, `The PDF of bill ${bill.number} is shared.`);
    } catch (error) {
      // The chosen file stays: sharing it again then replaces what the colleague has shared.
      if (codeOf(error) === 'changed_meanwhile') {
        const newest = (await changes.reread()).bills.find(({ id }) => id === bill.id);
        setVersion(newest?.version ?? version);
      }
      throw error;
    }
  };
  return (
    <FormDialog
      open
      title={isNewer ? `Replace the PDF of bill ${bill.number}` : `Share the PDF of bill ${bill.number}`}
      action={isNewer ? 'Replace the PDF' : 'Share the PDF'}
      busyText="Sharing"
      onSubmit={share}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            Clients can open it at once, before they pay. Its sums must be those of the bill’s lines.
            {isNewer && ' The earlier version stays with the documents, marked as replaced.'}
          </p>
          <TextField
            label="PDF of the bill"
            type="file"
            accept="application/pdf"
            error={errors.file_id ?? errors.file}
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          />
          {file && <UploadProgress file={file} part={part} />}
        </>
      )}
    </FormDialog>
  );
}
