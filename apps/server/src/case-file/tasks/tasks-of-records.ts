import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { RecordEditor } from '../editing/edit-case.ts';
import { readExisting } from '../editing/edit-record.ts';

/** Completes the open tasks of one kind that are about a search or document, because nothing is left to do. */
export async function completeTasks(
  editor: RecordEditor,
  kind: 'pay_search' | 'sign_document',
  about: { column: 'case_search_id' | 'document_id'; id: string },
): Promise<void> {
  const { rows } = await editor.transaction.execute<{ reference: string }>(sql`
    select reference from tasks where ${sql.raw(about.column)} = ${about.id} and kind = ${kind} and status = 'open'
    order by id for update`);
  for (const { reference } of rows) {
    const task = await readExisting(editor, 'tasks', reference);
    await editor.store('tasks', [{ ...task, status: 'done' }]);
  }
}

/** Explains why a client should pay for a search. */
const reasons: Record<FeedRecord<'searches'>['required_by'], string> = {
  lender: 'We order it once you’ve paid. Your lender may require it.',
  firm: 'We order it once you’ve paid. We recommend it for this property.',
  optional: 'We order it once you’ve paid. It’s optional: call us if you’re not sure that you want it.',
};

/** Builds the task to pay for a search. */
export const taskToPay = (
  search: FeedRecord<'searches'>,
  { reference, ofCase, dueOn }: { reference: string; ofCase: string; dueOn: string | null | undefined },
): FeedRecord<'tasks'> => ({
  reference,
  case: ofCase,
  matter: search.matter,
  search: search.reference,
  kind: 'pay_search',
  title: `Pay for the ${inSentence(search.name)}`.slice(0, 200),
  explanation: reasons[search.required_by],
  ...(dueOn ? { due_on: dueOn } : {}),
  status: 'open',
});

/** "Drainage and water search" inside a sentence. Names such as HS2 keep their capitals. */
const inSentence = (name: string) => name.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());
