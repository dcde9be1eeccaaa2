import { formatDay, londonDay } from '@keyturn/format/london-time';
import { type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import type { StoredClient } from '../../../platform/reads/find-client-by-email.ts';

/** A case of a client who is to be erased, with what may prevent it. */
export interface CaseOfClient {
  id: string;
  reference: string;
  title: string;
  isOpen: boolean;
  /** Null while the case is open. */
  retainedUntil: Date | null;
  /** The reason of a legal hold; null without one. */
  hold: string | null;
  /** The other clients who are not erased. */
  sharedWith: string[];
  openPayments: number;
  openDisputes: number;
  openRefunds: number;
  documents: number;
  signatures: number;
  payments: number;
}

export interface ErasurePlan {
  client: { id: string; name: string; reference: string; hold: string | null };
  /** Cases that are erased with the client. */
  erased: CaseOfClient[];
  /** Cases that are kept for their other clients. */
  staying: CaseOfClient[];
  /** Why the client cannot be erased, in sentences. */
  obstacles: string[];
  /** Whether open payments are all that prevents it: those of the client are cancelled when it is ordered. */
  isPreventedByPayments: boolean;
  /** Cases whose retention period has not ended, in sentences. The firm may decide to erase the client anyway. */
  retained: string[];
}

/**
 * Finds what the erasure of a client would delete, and what prevents it.
 * @param connection with `lock`, the transaction that erases the client afterwards and has locked their row
 * @param options.now a case whose retention ends later is retained
 * @param options.lock locks the cases until the end of the transaction
 */
export async function planErasure(
  connection: Connection,
  found: StoredClient,
  { now, lock }: { now: Date; lock: boolean },
): Promise<ErasurePlan> {
  const { rows } = await connection.execute<{ hold: string | null; payingIn: string[] }>(sql`
    select ${holdOf('client', 'clients')} as hold, array(
      select distinct c.reference from conveyancing_cases c join unsettled_payments(clients.id) p on p.case_id = c.id
      where not ${isCaseOf(found.id)} order by 1) as "payingIn"
    from clients where id = ${found.id}::uuid`);
  const { hold = null, payingIn = [] } = rows[0] ?? {};
  const client = {
    id: found.id,
    name: `${found.firstName} ${found.lastName}`,
    reference: found.reference,
    hold,
  };
  const cases = await readCases(connection, isCaseOf(client.id), { except: client.id, lock });
  const ofHold = hold === null ? [] : [`The client is ${underHold(hold)}`];
  const obstacles = [
    ...ofHold,
    ...cases.flatMap(obstaclesOf),
    ...payingIn.map((reference) => `Case ${reference}, which the client has left, ${unsettled}`),
  ];
  const withoutPayments = [
    ...ofHold,
    ...cases.flatMap((found) => obstaclesOf({ ...found, openPayments: 0 })),
  ];
  return {
    client,
    erased: cases.filter(({ sharedWith }) => sharedWith.length === 0),
    staying: cases.filter(({ sharedWith }) => sharedWith.length > 0),
    obstacles,
    isPreventedByPayments: obstacles.length > 0 && withoutPayments.length === 0,
    retained: cases.flatMap(({ reference, retainedUntil }) =>
      retainedUntil !== null && retainedUntil > now
        ? [`Case ${reference} has to be kept until ${formatDay(londonDay(retainedUntil))}`]
        : [],
    ),
  };
}

/** Returns why a case cannot be erased, whatever its retention. */
export function obstaclesOf({
  reference,
  isOpen,
  hold,
  openPayments,
  openDisputes,
  openRefunds,
}: CaseOfClient): string[] {
  const found: [boolean, string][] = [
    [isOpen, 'is open: complete or abandon it first'],
    [hold !== null, `is ${underHold(hold)}`],
    [openPayments > 0, 'has a payment under way: wait until it is settled, or cancel it'],
    [openDisputes > 0, 'has an open dispute about a payment: wait until it is closed'],
    [openRefunds > 0, 'has a refund that is not finished: wait until it is'],
  ];
  return found.flatMap(([isFound, obstacle]) => (isFound ? [`Case ${reference} ${obstacle}`] : []));
}

const unsettled = 'has a payment of theirs that is not settled: wait until it is, or cancel it';

const underHold = (reason: string | null): string =>
  `under a legal hold: ${reason}. Release the hold first, if it no longer applies`;

/** An SQL expression for the reason of a legal hold. */
const holdOf = (kind: 'case' | 'client', row: string) => sql`(
  select reason from legal_holds
  where subject_kind = ${kind} and subject_id = ${sql.raw(row)}.id and released_at is null)`;

const count = (from: string) =>
  sql.raw(
    `(select count(*)::int from ${from} join payments on payments.id = payment_id where case_id = c.id`,
  );

/** A condition about the row `c`: a client is on the case. */
export const isCaseOf = (clientId: string): SQL =>
  sql`c.id in (select case_id from case_clients where client_id = ${clientId}::uuid)`;

/**
 * Reads the cases that a condition selects.
 * @param condition about the row `c`
 * @param options.except the client who is to be erased with them
 * @param options.lock locks them until the end of the transaction
 */
export async function readCases(
  connection: Connection,
  condition: SQL,
  { except = null, lock }: { except?: string | null; lock: boolean },
): Promise<CaseOfClient[]> {
  if (lock)
    await connection.execute(sql`select from conveyancing_cases c where ${condition} order by id for update`);
  const { rows } = await connection.execute<
    Omit<CaseOfClient, 'retainedUntil'> & { retainedUntil: string | null }
  >(sql`
    select c.id, c.reference, c.title, c.closed_at is null as "isOpen",
      to_json(case_retained_until(c)) #>> '{}' as "retainedUntil",
      coalesce(${holdOf('case', 'c')}, (
        select h.reason from legal_holds h join case_clients m on m.client_id = h.subject_id
        where m.case_id = c.id and h.subject_kind = 'client' and h.released_at is null
          and m.client_id is distinct from ${except}::uuid order by h.id limit 1)) as hold,
      array(
        select first_name || ' ' || last_name from case_clients m join clients on clients.id = m.client_id
        where m.case_id = c.id and m.client_id is distinct from ${except}::uuid
          and ${except}::uuid is not null and erased_at is null order by 1) as "sharedWith",
      (select count(*)::int from payments where case_id = c.id
        and status in ('requires_payment_method', 'requires_action', 'processing')) as "openPayments",
      ${count('disputes')} and disputes.status <> 'closed') as "openDisputes",
      ${count('refunds')} and refunds.status in
        ('awaiting_approval', 'approved', 'pending', 'requires_action')) as "openRefunds",
      (select count(*)::int from documents d join matters on matters.id = d.matter_id
        where matters.case_id = c.id) as documents,
      (select count(*)::int from document_signatures s join documents d on d.id = s.document_id
        join matters on matters.id = d.matter_id where matters.case_id = c.id) as signatures,
      (select count(*)::int from payments where case_id = c.id) as payments
    from conveyancing_cases c where ${condition} order by c.reference`);
  return rows.map((row) => ({
    ...row,
    retainedUntil: row.retainedUntil === null ? null : new Date(row.retainedUntil),
  }));
}
