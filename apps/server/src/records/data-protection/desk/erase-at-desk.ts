import { hash } from 'node:crypto';
import type { ErasureRecord, ErasurePlan as PlanAtDesk } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { asInstant, jsonList } from '../../../platform/reads/contract-json.ts';
import type { StoredClient } from '../../../platform/reads/find-client-by-email.ts';
import { erasePlanned } from '../erasure/erase.ts';
import { type ErasurePlan, planErasure } from '../erasure/plan-erasure.ts';
import { toCaseSummary } from './case-summary.ts';

/** Reads what an erasure of a client would delete and keep, and what prevents it. */
export async function readPlan(connection: Connection, client: StoredClient, now: Date): Promise<PlanAtDesk> {
  return toPlan(await planErasure(connection, client, { now, lock: false }));
}

function toPlan({ client, erased, staying, obstacles, retained }: ErasurePlan): PlanAtDesk {
  const plan = {
    reference: client.reference,
    name: client.name,
    erased: erased.map(toCaseSummary),
    staying: staying.map(toCaseSummary),
    obstacles,
    retained,
  };
  return { ...plan, version: hash('sha256', JSON.stringify(plan)).slice(0, 16) };
}

/**
 * Erases a client whose plan a member has read. Only the command erases one whose retention period has not ended.
 * @param client locked by the transaction
 * @throws DomainError `invalid_input` for another reference, `changed_meanwhile` if the plan is another one now,
 *   `edit_not_possible` with what prevents it
 */
export async function eraseAtDesk(
  transaction: Transaction,
  client: StoredClient,
  { version, reference, at, by }: { version: string; reference: string; at: Date; by: AuditedBy },
): Promise<void> {
  if (reference.trim() !== client.reference)
    throw new DomainError('invalid_input', {
      errors: { reference: ['This is not the reference of the client. Please copy it from this page.'] },
    });
  const plan = await planErasure(transaction, client, { now: at, lock: true });
  const reasons = [...plan.obstacles, ...plan.retained];
  if (reasons.length > 0) {
    const cancelsPayments = plan.isPreventedByPayments && plan.retained.length === 0;
    throw new ErasureRefused(
      `Nothing was erased. ${reasons.join('. ')}.${cancelsPayments ? cancelling : ''}`,
      {
        cancelsPayments,
      },
    );
  }
  if (toPlan(plan).version !== version) throw new DomainError('changed_meanwhile');
  await erasePlanned(transaction, plan, { at, by, basis: 'request', earlyReason: null });
}

const cancelling =
  ' Payments that this client has started are now being cancelled. Please try again in a few minutes.';

/** An erasure that is not possible now. */
export class ErasureRefused extends DomainError {
  /** Whether the client’s open payments must be cancelled, because nothing else prevents the erasure. */
  readonly cancelsPayments: boolean;

  constructor(message: string, { cancelsPayments }: { cancelsPayments: boolean }) {
    super('edit_not_possible', { message });
    this.cancelsPayments = cancelsPayments;
  }
}

/** Reads what is left of an erased client; null if no client with this id was erased. */
export async function readErasure(connection: Connection, clientId: string): Promise<ErasureRecord | null> {
  const ofFiles = (state: string) =>
    sql.raw(`(select count(distinct sha256) from erased_files where state = '${state}' and erasure_id in (
      select id from erasures same where ${inSameTransaction}))`);
  const { rows } = await connection.execute<{ record: ErasureRecord }>(sql`
    select json_build_object('number', erasure.id, 'erased_at', ${asInstant('erasure.occurred_at')},
      'ordered_by', erasure.ordered_by, 'case_numbers', ${jsonList(sql`same.id`, {
        query: sql.raw(`from erasures same where subject_kind = 'case' and ${inSameTransaction}`),
        order: sql`same.id`,
      })},
      'files', json_build_object('waiting', ${ofFiles('waiting')}, 'removed', ${ofFiles('removed')},
        'kept', ${ofFiles('kept')})) as record
    from erasures erasure where subject_kind = 'client' and subject_id = ${clientId}::uuid
    order by erasure.id desc limit 1`);
  return rows[0]?.record ?? null;
}

/** Together they name the transaction, also in a restored database. */
const inSameTransaction =
  'same.transaction_id = erasure.transaction_id and same.opened_at = erasure.opened_at';
