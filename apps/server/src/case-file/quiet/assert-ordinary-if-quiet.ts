import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { invalidInput } from '../../platform/domain-error.ts';
import { readFirmData } from '../../platform/firm-data/firm-data.ts';
import { isStepQuiet } from './is-quiet.ts';

/**
 * Checks that staff choose one of the firm's waiting texts for a quiet step, as for ordinary steps: a text that only quiet steps
 * have would tell that they are quiet.
 * @throws DomainError `invalid_input`
 */
export async function assertOrdinaryIfQuiet(
  transaction: Transaction,
  milestoneId: string,
  text: string,
): Promise<void> {
  const { value: texts } = await readFirmData(transaction, 'waiting_texts');
  if (texts.includes(text)) return;
  const { rows } = await transaction.execute(sql`
    select from milestones milestone join matters matter on matter.id = milestone.matter_id
    where milestone.id = ${milestoneId} and milestone.waiting_for is distinct from ${text} and ${isStepQuiet}`);
  if (rows.length > 0)
    throw invalidInput(
      'changes.waiting_for',
      'must be one of the firm’s waiting texts, because this step is quiet. Choose one from the list',
    );
}
