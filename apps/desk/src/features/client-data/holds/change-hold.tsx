import { type ClientData, type LegalHold, maxReasonLength } from '@keyturn/contract/staff';
import { useState } from 'react';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SelectField, TextAreaField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { ClientDataChanges } from '../client-data-queries.ts';

/** Places a legal hold on a client, or on one of their cases. */
export function PlaceHoldDialog({
  data: { client, cases },
  changes,
  onClose,
}: {
  data: ClientData;
  changes: ClientDataChanges;
  onClose(): void;
}) {
  const [subject, setSubject] = useState(client.id);
  const [reason, setReason] = useState('');
  const place = async () => {
    const input = { params: { id: subject }, body: { reason: requireReason(reason) } };
    if (subject === client.id) await callStaff('POST /staff/clients/{id}/hold', input);
    else await callStaff('POST /staff/cases/{id}/hold', input);
    await changes.refresh();
    showToast('The legal hold is in force. Nothing it covers can be erased until it is released.');
  };
  return (
    <FormDialog open title="Place a legal hold" action="Place the hold" onSubmit={place} onClose={onClose}>
      {(errors) => (
        <>
          <SelectField
            label="What it protects"
            value={subject}
            options={[
              { value: client.id, name: `${client.name} and all their cases` },
              ...cases.map(({ id, reference, title }) => ({
                value: id,
                name: `Case ${reference}, ${title}`,
              })),
            ]}
            onChoose={setSubject}
          />
          <TextAreaField
            label="Why"
            hint="For colleagues who find the hold later, such as the reference of a claim. Clients do not see it."
            maxLength={maxReasonLength}
            rows={3}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            error={errors.reason}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Releases a legal hold, for admins. */
export function ReleaseHoldDialog({
  hold: { kind, subject_id, subject_name, reason: placedFor },
  changes,
  onClose,
}: {
  hold: LegalHold;
  changes: ClientDataChanges;
  onClose(): void;
}) {
  const [reason, setReason] = useState('');
  const release = async () => {
    const input = { params: { id: subject_id }, body: { reason: requireReason(reason) } };
    if (kind === 'client') await callStaff('POST /staff/clients/{id}/hold/release', input);
    else await callStaff('POST /staff/cases/{id}/hold/release', input);
    await changes.refresh();
    showToast('The legal hold is released.');
  };
  return (
    <FormDialog
      open
      title={`Release the legal hold on ${kind === 'case' ? `case ${subject_name}` : subject_name}?`}
      action="Release the hold"
      look="danger"
      onSubmit={release}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            Reason for the hold: “{placedFor}”. Once the hold is released, an admin or a retention rule can
            erase what it covers as soon as the retention period has ended.
          </p>
          <TextAreaField
            label="Why it no longer applies"
            hint="Kept with the hold."
            maxLength={maxReasonLength}
            rows={3}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            error={errors.reason}
          />
        </>
      )}
    </FormDialog>
  );
}

/** @throws ApiError if there is no reason */
function requireReason(entered: string): string {
  const reason = entered.trim();
  if (reason === '') throw invalidForm({ reason: 'Enter a reason.' });
  return reason;
}
