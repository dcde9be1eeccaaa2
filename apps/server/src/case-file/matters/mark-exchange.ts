import type { FeedRecord } from '@keyturn/contract';
import type { DeskMatter, ExchangeMark, ExchangeUndo } from '@keyturn/contract/staff';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import { matterTypeInSentence } from '@keyturn/format/matter-names';
import { DomainError, notPossible } from '../../platform/domain-error.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import type { EditDependencies, EditRequest } from '../editing/edit-case.ts';
import { editRecord, isAlike } from '../editing/edit-record.ts';
import { addUpdate } from '../history/send-update.ts';
import { milestoneIn, withMilestone } from '../milestones/milestone-edits.ts';

type MatterRecord = FeedRecord<'matters'>;

/**
 * Marks contracts as exchanged, or corrects what was entered about it: the day, the completion date that it fixes, the deposit and who authorised it, in one
 * transaction with the step. Repeating the request changes nothing more.
 * @throws DomainError `invalid_input` with all errors, `edit_not_possible`, `not_found`, `changed_meanwhile`, `unavailable`
 */
export async function markExchange(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, ...mark }: ExchangeMark,
): Promise<{ matter: DeskMatter }> {
  const today = londonDay(dependencies.clock());
  const { found } = await editRecord(
    dependencies,
    request,
    { kind: 'matter', id, version },
    {
      list: 'matters',
      change: (matter) => {
        const exchanged = withExchange(matter, mark);
        if (isAlike(matter, exchanged)) return matter;
        if (matter.matter_type !== 'sale' && matter.matter_type !== 'purchase')
          throw notPossible('Contracts are exchanged on a sale or a purchase only.');
        if (!isExchanged(matter) && (matter.status !== 'active' || matter.completed_on))
          throw notPossible('Contracts are exchanged on an active matter only. Change its status first.');
        checkMark(mark, { today, completedOn: matter.completed_on });
        return exchanged;
      },
    },
  );
  return { matter: findInCase(found, 'matter', id) as DeskMatter };
}

function withExchange(
  matter: MatterRecord,
  { exchanged_on, completion_on, deposit, authorised_by, authorised_on }: Omit<ExchangeMark, 'version'>,
): MatterRecord {
  return withMilestone(
    {
      ...matter,
      exchanged_on,
      target_completion_on: completion_on,
      exchange: { ...(deposit && { deposit }), authorised_by: authorised_by.trim(), authorised_on },
    },
    { ...textsOf(milestoneIn(matter, 'exchanged')), status: 'done', reached_on: exchanged_on },
  );
}

/** Whether contracts are marked as exchanged, by the firm's system or at the desk. */
const isExchanged = (matter: MatterRecord): boolean =>
  matter.exchanged_on !== undefined || isDone(matter, 'exchanged');

const isDone = (matter: MatterRecord, key: string) => milestoneIn(matter, key).status === 'done';

/** A step without its state: a step that is reached or reopened waits for no one and has no promise. */
const textsOf = ({
  waiting_for: _waitingFor,
  waiting_since: _since,
  next_update_by: _promise,
  reached_on: _reached,
  ...texts
}: MatterRecord['milestones'][number]) => texts;

/** @throws DomainError `invalid_input` */
function checkMark(
  { exchanged_on, completion_on, authorised_on }: Omit<ExchangeMark, 'version'>,
  { today, completedOn }: { today: string; completedOn: string | undefined },
): void {
  const errors = Object.entries({
    exchanged_on:
      exchanged_on > today
        ? 'Contracts cannot have been exchanged on a day in the future.'
        : completedOn !== undefined &&
          exchanged_on > completedOn &&
          'The matter was completed before this day.',
    completion_on: completion_on < exchanged_on && 'Completion cannot be before the exchange.',
    authorised_on:
      authorised_on > exchanged_on && 'The exchange has to be authorised before it, or on the same day.',
  }).flatMap(([field, reason]) => (reason ? [[field, [reason]] as [string, string[]]] : []));
  if (errors.length > 0) throw new DomainError('invalid_input', { errors: Object.fromEntries(errors) });
}

/**
 * Takes back an exchange that was marked by mistake, and tells the clients why in the history of their case.
 * @throws DomainError as `markExchange`
 */
export async function undoExchange(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, update_id, reason, completion_on }: ExchangeUndo,
): Promise<{ matter: DeskMatter }> {
  const now = dependencies.clock();
  let wrongDay: string | undefined;
  const { found } = await editRecord(
    dependencies,
    request,
    { kind: 'matter', id, version },
    {
      list: 'matters',
      change: (matter) => {
        const { exchanged_on, exchange: _, target_completion_on: _former, ...rest } = matter;
        if (!isExchanged(matter)) return matter;
        if (matter.completed_on || matter.status === 'completed' || isDone(matter, 'completed'))
          throw notPossible(
            'This matter is completed, so its contracts were exchanged. If that is wrong, correct the completion first.',
          );
        wrongDay = exchanged_on;
        const planned = { ...rest, ...(completion_on && { target_completion_on: completion_on }) };
        return withMilestone(planned, { ...textsOf(milestoneIn(matter, 'exchanged')), status: 'upcoming' });
      },
      storeAfter: async (editor, matter, { caseReference }) => {
        const name = matterTypeInSentence(matter.matter_type);
        const day = wrongDay ? ` on ${formatDay(wrongDay)}` : '';
        const text = `Contracts for your ${name} were marked here as exchanged${day}. That was a mistake, and we’re sorry: they have not been exchanged. ${reason.trim()}`;
        await addUpdate(
          editor,
          { id: update_id, text },
          { ofCase: caseReference, author: request.actor.name, now },
        );
      },
    },
  );
  return { matter: findInCase(found, 'matter', id) as DeskMatter };
}
