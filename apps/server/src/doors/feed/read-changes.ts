import { sql } from 'drizzle-orm';
import { positionChanges } from '../../live/position-changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { auditRead } from './read-record.ts';
import type { Sender } from './send-records.ts';

/** An action of a client, or an event about one of their payments. */
export interface ClientChange {
  position: number;
  type: string;
  occurred_at: string;
  /** References of the firm, and our ids of payments, refunds and disputes. */
  [field: string]: string | number;
}

export interface ChangesPage {
  data: ClientChange[];
  meta: {
    /** The cursor after which the next request continues; null while there are no changes at all. */
    next: string | null;
    has_more: boolean;
  };
}

const maxPage = 500;
const defaultPage = 100;

/**
 * Reads changes in the order of their positions, without ever skipping one.
 * @param query.after the cursor of the page before
 * @throws DomainError `invalid_input`; `feed_not_possible` for a cursor of a database that was replaced by a backup
 */
export async function readChanges(
  { database, clock }: { database: Database; clock: Clock },
  reader: Sender,
  query: { after?: unknown; limit?: unknown },
): Promise<ChangesPage> {
  const limit = parseLimit(query.limit);
  const after = parseCursor(query.after);
  return runTransaction(database, async (transaction) => {
    const now = clock();
    const subject = { kind: 'feed_key', id: reader.caller.id } as const;
    await auditRead(transaction, reader, { action: 'feed.changes_read', subject, now });
    await positionChanges(transaction);
    if (after) await checkCursor(transaction, after);
    // Reads one more, to know whether there are further changes.
    const found = await findChanges(transaction, after?.position ?? 0, limit + 1);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      data: shown.map(({ change }) => change),
      meta: {
        next: last
          ? `${last.change.position}-${last.check}`
          : after
            ? `${after.position}-${after.check}`
            : null,
        has_more: found.length > limit,
      },
    };
  });
}

function parseLimit(limit: unknown): number {
  if (limit === undefined) return defaultPage;
  if (typeof limit !== 'string' || !/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > maxPage)
    throw invalidInput('limit', `must be a whole number from 1 to ${maxPage}`);
  return Number(limit);
}

interface Cursor {
  position: number;
  /** Identifies the change at the position: another one can have it after a backup was restored. */
  check: string;
}

function parseCursor(after: unknown): Cursor | null {
  if (after === undefined) return null;
  const [, position = '', check = ''] =
    typeof after === 'string' ? (/^([1-9]\d{0,14})-([\da-f]{8})$/.exec(after) ?? []) : [];
  if (check === '') throw invalidInput('after', 'must be the cursor of an earlier answer, or be left out');
  return { position: Number(position), check };
}

const checkOf = sql`left(md5(change.type || change.subject_id || coalesce(change.client_id::text, '')
  || extract(epoch from change.occurred_at)), 8)`;

async function checkCursor(transaction: Connection, { position, check }: Cursor): Promise<void> {
  const { rows } = await transaction.execute(
    sql`select from client_changes as change where position = ${position} and ${checkOf} = ${check}`,
  );
  if (rows.length > 0) return;
  throw new DomainError('feed_not_possible', {
    message:
      'This cursor is unknown, for example because the database was restored from a backup. Read the changes from the start, without “after”.',
  });
}

async function findChanges(transaction: Connection, after: number, limit: number) {
  const { rows } = await transaction.execute<{ change: ClientChange; check: string }>(sql`
    select ${checkOf} as check, json_strip_nulls(json_build_object(
      'position', change.position, 'type', change.type,
      'occurred_at', to_char(change.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'client', (select reference from clients where id = change.client_id),
      'case', coalesce(paid_case.reference, document_case.reference),
      'matter', coalesce(paid_matter.reference, document_matter.reference),
      'search', (select reference from case_searches where id = payment.case_search_id),
      'bill', (select reference from bills where id = payment.bill_id),
      'document', document.reference,
      'payment', payment.id,
      'refund', case when change.type in ('payment.refunded', 'payment.refund_failed') then change.subject_id end,
      'dispute', case when change.type in ('payment.disputed', 'payment.dispute_closed') then change.subject_id end,
      'amount', change.amount, 'outcome', change.outcome
    )) as change
    from client_changes as change
    left join payments as payment on payment.id = change.payment_id
    left join conveyancing_cases as paid_case on paid_case.id = payment.case_id
    left join matters as paid_matter on paid_matter.id = payment.matter_id
    left join documents as document on document.id = change.subject_id
      and change.type in ('document.signed', 'document.read')
    left join matters as document_matter on document_matter.id = document.matter_id
    left join conveyancing_cases as document_case on document_case.id = document_matter.case_id
    where change.position > ${after} order by change.position limit ${limit}`);
  return rows;
}
