import type { HistoryEntry } from '@keyturn/contract';
import type { StaffCallBody } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import { invalidInput } from '../../platform/domain-error.ts';
import type { EditRequest, RecordEditor } from '../editing/edit-case.ts';
import { type EditDependencies, editCase } from '../editing/edit-case.ts';
import { changeVersion, readExisting } from '../editing/edit-record.ts';
import { type LockedCase, lockRecord } from '../editing/lock-record.ts';
import { changePromise, milestoneIn, withMilestone } from '../milestones/milestone-edits.ts';
import { deskReference } from '../records/references.ts';
import { historyEntry } from './read-case-history.ts';

export type Update = StaffCallBody<'POST /staff/cases/{id}/updates'>;

/**
 * Sends an update to the clients of a case: an entry of its history, and the promises that it keeps and makes, in one
 * transaction. Sending the same request again sends nothing more.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable`
 */
export async function sendUpdate(
  dependencies: EditDependencies,
  request: EditRequest,
  caseId: string,
  update: Update,
): Promise<{ entry: HistoryEntry }> {
  const now = dependencies.clock();
  await editCase(dependencies, request, { kind: 'case', id: caseId }, async (editor, ofCase) => {
    const sent = { ofCase: ofCase.caseReference, author: request.actor.name, now };
    if (!(await addUpdate(editor, update, sent))) return;
    for (const promise of update.promises) await keepPromise(editor, ofCase, promise, londonDay(now));
  });
  return { entry: await readEntry(dependencies, deskReference(update.id)) };
}

/**
 * Adds an update to the history of a case.
 * @param sent.ofCase the reference of the case
 * @returns whether it was added now; false if it was sent before
 * @throws DomainError `invalid_input` if its id was used for another one
 */
export async function addUpdate(
  editor: RecordEditor,
  { id, text }: Pick<Update, 'id' | 'text'>,
  { ofCase, author, now }: { ofCase: string; author: string; now: Date },
): Promise<boolean> {
  const reference = deskReference(id);
  const summary = text.replaceAll('\r\n', '\n').trim();
  const former = await editor.read('history', reference);
  if (former) {
    if (former.case !== ofCase || former.summary !== summary)
      throw invalidInput('id', 'was used for another update: send this one with a new id');
    return false;
  }
  await editor.store('history', [
    {
      reference,
      case: ofCase,
      occurred_at: now.toISOString(),
      category: 'message',
      actor: author,
      summary,
    },
  ]);
  return true;
}

async function keepPromise(
  editor: RecordEditor,
  ofCase: LockedCase,
  { milestone_id, version, next_update_by }: Update['promises'][number],
  today: string,
): Promise<void> {
  const locked = await lockRecord(editor.transaction, { kind: 'milestone', id: milestone_id }, ofCase);
  const matter = await readExisting(editor, 'matters', locked.reference);
  const before = milestoneIn(matter, locked.key);
  const after = changeVersion(locked, version, before, () => changePromise(before, next_update_by, today));
  await editor.store('matters', [withMilestone(matter, after)]);
}

async function readEntry({ database }: EditDependencies, reference: string): Promise<HistoryEntry> {
  const { rows } = await database.execute<{ entry: HistoryEntry }>(sql`
    select ${historyEntry} as entry from history_entries entry where entry.reference = ${reference}`);
  const [found] = rows;
  if (!found) throw new Error(`the update ${reference} was stored and cannot be read`);
  return found.entry;
}
