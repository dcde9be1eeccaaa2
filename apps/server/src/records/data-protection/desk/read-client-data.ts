import type { ClientData, KeptCase, LegalHold } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { asInstant, jsonList } from '../../../platform/reads/contract-json.ts';
import type { StoredClient } from '../../../platform/reads/find-client-by-email.ts';
import { isCaseOf, readCases } from '../erasure/plan-erasure.ts';
import { isWithoutCases, lastActivityAt } from '../retention/erase-due.ts';
import { toCaseSummary } from './case-summary.ts';

/** Reads what is kept about a client, until when, and the legal holds. */
export async function readClientData(connection: Connection, client: StoredClient): Promise<ClientData> {
  const { id, reference, firstName, lastName } = client;
  return {
    client: { id, reference, name: `${firstName} ${lastName}` },
    cases: await readKeptCases(connection, id),
    without_cases: await readRuleWithoutCases(connection, id),
    holds: await readHolds(connection, id),
  };
}

type Retention = Pick<KeptCase, 'status' | 'closed_at' | 'rules' | 'deletes'>;

async function readKeptCases(connection: Connection, clientId: string): Promise<KeptCase[]> {
  const { rows } = await connection.execute<{ id: string; retention: Retention }>(sql`
    select c.id, json_build_object('status', c.status, 'closed_at', ${asInstant('c.closed_at')},
      'rules', ${rulesOfCase},
      'deletes', (select bool_and(deletes) from retention_rules where kind = any(case_retention_kinds(c)))) as retention
    from conveyancing_cases c where ${isCaseOf(clientId)}`);
  const retentions = new Map(rows.map(({ id, retention }) => [id, retention]));
  const found = await readCases(connection, isCaseOf(clientId), { except: clientId, lock: false });
  return found.flatMap((row) => {
    const retention = retentions.get(row.id);
    return retention ? [{ id: row.id, ...toCaseSummary(row), ...retention }] : [];
  });
}

const untilOfRule = `(case when c.closed_at is not null then make_interval(months => rule.months)
  + case when (rule.kind = 'payments') then last_paid else c.closed_at end end)`;

/** The rules of the case `c`, as the function `case_retained_until` applies them. */
const rulesOfCase = jsonList(
  sql`json_build_object('kind', rule.kind, 'months', rule.months, 'until', ${asInstant(untilOfRule)})`,
  {
    query: sql`
      from (select max(greatest(paid_at, updated_at)) as last_paid from payments
        where case_id = c.id and paid_at is not null) paid
      join retention_rules rule on rule.kind = any(case_retention_kinds(c))
        or (last_paid is not null and rule.kind = 'payments')`,
    order: sql`rule.kind = 'payments', rule.months desc, rule.kind`,
  },
);

async function readRuleWithoutCases(
  connection: Connection,
  clientId: string,
): Promise<ClientData['without_cases']> {
  const { rows } = await connection.execute<{ rule: ClientData['without_cases'] }>(sql`
    select json_build_object('kind', rule.kind, 'months', rule.months, 'deletes', rule.deletes,
      'until', ${asInstant(`(${lastActivityAt} + make_interval(months => rule.months))`)}) as rule
    from retention_rules rule cross join clients c
    where c.id = ${clientId}::uuid and ${isWithoutCases}`);
  return rows[0]?.rule ?? null;
}

/** The holds of a client, of their cases, and of the other clients of those, which cover the cases too. */
async function readHolds(connection: Connection, clientId: string): Promise<LegalHold[]> {
  const { rows } = await connection.execute<{ holds: LegalHold[] }>(sql`
    select ${jsonList(
      sql`json_build_object('kind', hold.subject_kind, 'subject_id', hold.subject_id,
        'subject_name', coalesce(held_case.reference, held.first_name || ' ' || held.last_name),
        'reason', hold.reason, 'placed_at', ${asInstant('hold.placed_at')}, 'placed_by', hold.placed_by,
        'released_at', ${asInstant('hold.released_at')}, 'released_by', hold.released_by,
        'release_reason', hold.release_reason)`,
      {
        query: sql`
          from legal_holds hold
          left join conveyancing_cases held_case on hold.subject_kind = 'case' and held_case.id = hold.subject_id
          left join clients held on hold.subject_kind = 'client' and held.id = hold.subject_id
          where hold.subject_id = ${clientId}::uuid or hold.subject_id in (
            select case_id from case_clients where client_id = ${clientId}::uuid
            union select other.client_id from case_clients own join case_clients other using (case_id)
            where own.client_id = ${clientId}::uuid)`,
        order: sql`hold.released_at is not null, hold.id desc`,
      },
    )} as holds`);
  return rows[0]?.holds ?? [];
}
