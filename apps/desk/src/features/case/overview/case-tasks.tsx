import type { DeskTask } from '@keyturn/contract/staff';
import { formatNearDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog, type StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull } from '../edits/form-values.ts';
import { sendTask } from '../edits/send-edits.ts';
import { AskDialog } from './ask-dialog.tsx';
import { doneByItself } from './done-by-itself.ts';

type TaskField = 'title' | 'explanation' | 'due_on';

const fields: readonly EditField<TaskField>[] = [
  { name: 'title', label: 'What the clients have to do', maxLength: 200 },
  { name: 'explanation', label: 'Why, and how', kind: 'long-text', maxLength: 1000 },
  { name: 'due_on', label: 'By', kind: 'day' },
];

const storedTask = ({ version, title, explanation, due_on }: DeskTask): StoredValues<TaskField> => ({
  version,
  values: { title, explanation, due_on: due_on ?? '' },
});

/** The tasks of the clients, open ones first. */
export function CaseTasks({ deskCase, changes, mayEdit }: CasePartProps) {
  const [editedId, setEditedId] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const edited = deskCase.tasks.find(({ id }) => id === editedId);
  const open = deskCase.tasks.filter(({ status }) => status === 'open');
  const others = deskCase.tasks.length - open.length;
  const complete = (task: DeskTask) =>
    void changes
      .save(
        sendTask(task.id),
        { version: task.version, changes: { status: 'done' } },
        {
          done: `“${task.title}” is done.`,
          undone: `“${task.title}” is open again.`,
        },
      )
      .catch((error: unknown) => {
        showToast(`“${task.title}” was not changed. ${errorText(error)}`, { tone: 'danger' });
        void changes.refresh();
      });
  return (
    <Section
      title="What the clients have to do"
      actions={mayEdit && <Button onClick={() => setAsking(true)}>Ask for something</Button>}
    >
      {open.length === 0 ? (
        <p className={styles.soft}>Nothing at the moment.</p>
      ) : (
        <ul className={styles.list}>
          {open.map((task) => (
            <li key={task.id}>
              <TaskFacts task={task} doneBy={doneByItself(task, deskCase)} />
              {mayEdit && (
                <span className={styles.rowActions}>
                  {doneByItself(task, deskCase) === null && (
                    <Button look="plain" aria-label={`Done: ${task.title}`} onClick={() => complete(task)}>
                      Done
                    </Button>
                  )}
                  <Button
                    look="plain"
                    aria-label={`Edit: ${task.title}`}
                    onClick={() => setEditedId(task.id)}
                  >
                    Edit
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <p className={styles.soft}>{others === 1 ? '1 task is closed.' : `${others} tasks are closed.`}</p>
      )}
      {edited && (
        <EditDialog
          title={edited.title}
          fields={fields}
          stored={storedTask(edited)}
          changes={changes}
          find={(newest) => {
            const found = newest.tasks.find(({ id }) => id === edited.id);
            return found ? storedTask(found) : null;
          }}
          save={({ due_on, ...texts }, version) =>
            changes.save(
              sendTask(edited.id),
              { version, changes: { ...texts, ...(due_on === undefined ? {} : emptyToNull({ due_on })) } },
              { done: 'Task saved.', undone: 'Change undone.' },
            )
          }
          onClose={() => setEditedId(null)}
        />
      )}
      {isAsking && <AskDialog deskCase={deskCase} changes={changes} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function TaskFacts({
  task: { title, explanation, due_on, amount },
  doneBy,
}: {
  task: DeskTask;
  doneBy: string | null;
}) {
  const today = useToday();
  return (
    <div>
      <h3>
        {title}
        {amount !== null && ` (${formatMoney(amount)})`}
      </h3>
      <p className={styles.facts}>
        {due_on &&
          (due_on < today ? (
            <StatusTag tone="held">Was due {formatNearDay(due_on, today)}</StatusTag>
          ) : (
            <span>By {formatNearDay(due_on, today)}</span>
          ))}
        <span className={styles.soft}>
          {explanation} {doneBy}
        </span>
      </p>
    </div>
  );
}
