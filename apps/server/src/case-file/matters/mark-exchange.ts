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
 * Marks contracts as exchanged: the day, the completion date that it fixes, the deposit and who authorised it, in one
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
        if (matter.exchanged_on)
          throw notPossible(
            `Contracts are already marked as exchanged on ${formatDay(matter.exchanged_on)}. If they are not exchanged, take it back first.`,
          );
        if (matter.matter_type !== 'sale' && matter.matter_type !== 'purchase')
          throw notPossible('Contracts are exchanged on a sale or a purchase only.');
        checkMark(mark, today);
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
  today: string,
): void {
  const errors = Object.entries({
    exchanged_on: exchanged_on > today && 'Contracts cannot have been exchanged on a day in the future.',
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
  { version, update_id, reason }: ExchangeUndo,
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
        const { exchanged_on, exchange: _, ...rest } = matter;
        if (exchanged_on === undefined && milestoneIn(matter, 'exchanged').status !== 'done') return matter;
        if (matter.completed_on)
          throw notPossible(
            `This matter was completed on ${formatDay(matter.completed_on)}. If that is wrong, correct its key dates first.`,
          );
        wrongDay = exchanged_on;
        return withMilestone(rest, { ...textsOf(milestoneIn(matter, 'exchanged')), status: 'upcoming' });
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
