import { type CaseStatus, caseStatuses, isClosed } from '@keyturn/contract';
import { type DeskCase, maxUpdateLength } from '@keyturn/contract/staff';
import { joinNames } from '@keyturn/format/join-names';
import { Fragment, useState } from 'react';
import { caseStatusNames } from '../../../api/case-status-names.ts';
import { codeOf, invalidForm } from '../../../api/client/staff-error.ts';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseDialogProps } from '../case-part-props.ts';
import { sendStatus } from '../edits/send-edits.ts';
import { matterName } from '../matter-name.ts';
import {
  changedMatters,
  chosenStatus,
  consequences,
  type MatterChoice,
  openItems,
  storedChoices,
} from './status-choices.ts';
import styles from './status-dialog.module.css';

/** Puts a case on hold, completes, abandons or reopens it, and tells its clients. */
export function StatusDialog({ deskCase, changes, onClose }: CaseDialogProps) {
  const { id } = deskCase;
  // What the member has seen: a change by a colleague meanwhile must not be overwritten.
  const [matters, setMatters] = useState(deskCase.matters);
  const [choices, setChoices] = useState(() => storedChoices(matters));
  const [update, setUpdate] = useState(newUpdate(''));
  const recipients = joinNames(deskCase.clients.map(({ first_name }) => first_name));
  const status = chosenStatus(choices);
  const changed = changedMatters(matters, choices);
  const choose = (matterId: string, change: Partial<MatterChoice>) =>
    setChoices((before) => {
      const chosen = before[matterId];
      return chosen ? { ...before, [matterId]: { ...chosen, ...change } } : before;
    });

  const save = async () => {
    if (changed.length === 0) throw invalidForm({ [matters[0]?.id ?? '']: 'Choose another status.' });
    const text = update.text.trim();
    const edit = { matters: changed, update: text === '' ? null : { id: update.id, text } };
    const done = `The case is now ${caseStatusNames[status].toLowerCase()}.`;
    const isSent = text === '' ? '' : ` ${recipients} can read your update.`;
    try {
      await changes.save(sendStatus(id), edit, {
        done: done + isSent,
        undone: `The case is ${caseStatusNames[deskCase.status].toLowerCase()} again.`,
      });
    } catch (error) {
      if (codeOf(error) === 'changed_meanwhile') {
        const newest = await changes.reread();
        setMatters(newest.matters);
        setChoices(storedChoices(newest.matters));
      }
      throw error;
    }
  };
  return (
    <FormDialog open title="Change the status" action="Save the status" onSubmit={save} onClose={onClose}>
      {(errors) => (
        <>
          {matters.map((matter) => (
            <Fragment key={matter.id}>
              <SelectField
                label={matterName(matter)}
                value={choices[matter.id]?.status ?? matter.status}
                options={statusOptions}
                onChoose={(chosen) => choose(matter.id, { status: chosen })}
                error={errors[matter.id]}
              />
              {choices[matter.id]?.status === 'completed' && matter.completed_on === null && (
                <TextField
                  label={matters.length > 1 ? `${matterName(matter)} completed on` : 'Completed on'}
                  type="date"
                  value={choices[matter.id]?.completedOn ?? ''}
                  error={errors[`matters.${changed.findIndex((each) => each.id === matter.id)}.completed_on`]}
                  onChange={({ currentTarget }) => choose(matter.id, { completedOn: currentTarget.value })}
                />
              )}
            </Fragment>
          ))}
          <div className={styles.consequences}>
            <p aria-live="polite">{consequences[status]}</p>
            <OpenItems deskCase={deskCase} status={status} />
          </div>
          <TextAreaField
            label="Tell the clients (optional)"
            hint={`Sent to ${recipients} as an update: why, and what happens next.`}
            rows={4}
            maxLength={maxUpdateLength}
            value={update.text}
            error={errors['update.text']}
            onChange={({ currentTarget }) => setUpdate(newUpdate(currentTarget.value))}
          />
        </>
      )}
    </FormDialog>
  );
}

/** What is still open on a case that is about to be closed. */
function OpenItems({ deskCase, status }: { deskCase: DeskCase; status: CaseStatus }) {
  const items = openItems(deskCase);
  if (!isClosed(status) || items.length === 0) return null;
  return <p>Still open: {joinNames(items)}.</p>;
}

const statusOptions = caseStatuses.map((value) => ({ value, name: caseStatusNames[value] }));

/** A text that is sent twice because its answer was lost has the same id, and another text has another one. */
const newUpdate = (text: string) => ({ id: crypto.randomUUID(), text });
