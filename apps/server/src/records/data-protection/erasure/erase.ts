import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Transaction } from '../../../platform/database.ts';
import type { ErasurePlan } from './plan-erasure.ts';
import { redactAudit } from './redact-audit.ts';
import { removeErasedFiles } from './remove-erased-files-job.ts';

/** Why a case or client is erased, when, and on whose order. */
export interface ErasureOrder {
  at: Date;
  by: AuditedBy;
  basis: 'request' | 'retention' | 'restored';
  /** Why it is erased before its retention period ends; null if it has ended. */
  earlyReason: string | null;
}

interface Subject {
  kind: 'case' | 'client';
  id: string;
}

/**
 * Erases a case with its documents, signatures, payments and history. The database refuses it under a legal hold and
 * while a payment is under way.
 * @returns the number of the erasure
 */
export async function eraseCase(transaction: Transaction, id: string, order: ErasureOrder): Promise<number> {
  const erasure = await openErasure(transaction, { kind: 'case', id }, order);
  await transaction.execute(sql`select erase_case(${erasure})`);
  await removeErasedFiles.add(transaction, {}, { key: removeErasedFiles.name });
  await recordErasure(transaction, { kind: 'case', id }, order, { erasure });
  return erasure;
}

/**
 * Erases a client and removes their name and addresses from the audit log. The caller erases the cases that are theirs
 * alone first. If they have signed or paid in a case that stays for its other clients, an empty record of them remains.
 * @returns the number of the erasure
 */
export async function eraseClient(
  transaction: Transaction,
  id: string,
  order: ErasureOrder,
): Promise<number> {
  const erasure = await openErasure(transaction, { kind: 'client', id }, order);
  await transaction.execute(sql`select erase_client(${erasure})`);
  const redactions = await redactAudit(transaction, { clientId: id, erasure });
  await recordErasure(transaction, { kind: 'client', id }, order, { erasure, ...redactions });
  return erasure;
}

/**
 * Erases a client with the cases that are theirs alone, in the transaction in which the plan was made.
 * @returns the number of each erasure; that of the client is the last
 */
export async function erasePlanned(
  transaction: Transaction,
  { client, erased }: Pick<ErasurePlan, 'client' | 'erased'>,
  order: ErasureOrder,
): Promise<{ number: number; kind: Subject['kind']; reference: string }[]> {
  const numbers: { number: number; kind: Subject['kind']; reference: string }[] = [];
  for (const { id, reference } of erased)
    numbers.push({ number: await eraseCase(transaction, id, order), kind: 'case', reference });
  const number = await eraseClient(transaction, client.id, order);
  return [...numbers, { number, kind: 'client', reference: client.reference }];
}

/** Returns why the database refused an erasure. @throws any other error */
export function reasonOfDatabase(error: unknown): string[] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    // Restrict violation and foreign key violation.
    if (code === '23001' || code === '23503') return [cause.message];
  }
  throw error;
}

/** Returns the hash by which a feed recognises the reference of an erased record. */
export const referenceHash = (kind: Subject['kind'], reference: string): Buffer =>
  hash('sha256', `${kind}:${reference}`, 'buffer');

async function openErasure(
  transaction: Transaction,
  { kind, id }: Subject,
  { at, by, basis, earlyReason }: ErasureOrder,
): Promise<number> {
  const table = sql.raw(kind === 'case' ? 'conveyancing_cases' : 'clients');
  const { rows } = await transaction.execute<{ reference: string }>(
    sql`select reference from ${table} where id = ${id}::uuid for update`,
  );
  const { rows: opened } = await transaction.execute<{ id: number }>(sql`
    insert into erasures (subject_kind, subject_id, reference_hash, occurred_at, ordered_by, basis, early_reason)
    values (${kind}, ${id}::uuid, ${referenceHash(kind, rows[0]?.reference ?? '')}, ${at.toISOString()}::timestamptz,
      ${by.actor.name}, ${basis}, ${earlyReason}) returning id::int`);
  return opened[0]?.id ?? 0;
}

const recordErasure = (
  transaction: Transaction,
  subject: Subject,
  { at, by, basis, earlyReason }: ErasureOrder,
  facts: Record<string, string | number>,
): Promise<void> =>
  recordAudit(transaction, {
    occurredAt: at,
    ...by,
    action: subject.kind === 'case' ? 'case.erased' : 'client.erased',
    subject,
    after: { ...facts, basis, before_retention_ended: earlyReason !== null },
  });
