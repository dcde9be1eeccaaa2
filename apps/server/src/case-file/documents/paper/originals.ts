import { type FeedRecord, isSignedOnPaper } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { RecordRejected } from '../../records/rejected-record.ts';

/* A paper that joint owners sign as counterparts: each signer has an original, and the firm receives each on its own day. */

/** An original as it is stored. */
export interface StoredOriginal {
  client_id: string;
  received_on: string;
}

/** A client who signs a paper, or signed it before they left the case. */
export interface Signer extends Record<string, unknown> {
  caseId: string;
  id: string;
  reference: string;
  isOnCase: boolean;
}

type DocumentRecord = FeedRecord<'documents'>;

/**
 * Finds the clients who sign the papers of records with originals, by case.
 * @param ids of the stored documents among them
 */
export async function findSigners(
  transaction: Transaction,
  records: readonly DocumentRecord[],
  ids: readonly string[],
): Promise<Map<string, Signer[]>> {
  const matters = records.flatMap(({ originals = [], matter }) => (originals.length > 0 ? matter : []));
  if (matters.length === 0) return new Map();
  const { rows } = await transaction.execute<Signer>(sql`
    select m.case_id as "caseId", c.id, c.reference, true as "isOnCase"
    from matters m join case_clients membership on membership.case_id = m.case_id
    join clients c on c.id = membership.client_id
    where m.reference = any(${sql.param(matters)}::text[])
    union
    select m.case_id, c.id, c.reference, false
    from documents d join matters m on m.id = d.matter_id
    cross join jsonb_array_elements(d.originals) original
    join clients c on c.id = (original ->> 'client_id')::uuid
    where d.id = any(${sql.param(ids)}::uuid[]) and not exists (
      select from case_clients where case_id = m.case_id and client_id = c.id)`);
  const byCase = new Map<string, Signer[]>();
  for (const signer of rows) byCase.set(signer.caseId, [...(byCase.get(signer.caseId) ?? []), signer]);
  return byCase;
}

/**
 * Converts the originals of a record to those that are stored, and finds the day on which the last one came.
 * @param signers the clients of its case, and those who have left it
 * @throws RecordRejected
 */
export function planOriginals(
  { signing, originals = [], received_on }: DocumentRecord,
  signers: readonly Signer[],
): { originals: StoredOriginal[]; receivedOn: string | null } {
  if (originals.length > 0 && !isSignedOnPaper(signing ?? null))
    throw new RecordRejected('/originals', 'is only for a document with signing deed or wet_ink');
  const stored = originals.map(({ client, received_on: day }, index) => {
    const place = `/originals/${index}/client`;
    const signer = signers.find(({ reference }) => reference === client);
    if (!signer) throw new RecordRejected(place, `refers to "${client}", who is not on the case`);
    if (originals.findIndex((other) => other.client === client) !== index)
      throw new RecordRejected(place, 'is named twice');
    return { client_id: signer.id, received_on: day };
  });
  const onCase = signers.filter(({ isOnCase }) => isOnCase);
  const areAllHere =
    stored.length > 0 && onCase.every(({ id }) => stored.some(({ client_id }) => client_id === id));
  const last =
    stored
      .map((original) => original.received_on)
      .toSorted()
      .at(-1) ?? null;
  return { originals: stored, receivedOn: received_on ?? (areAllHere ? last : null) };
}

/** Writes whether the firm has the original of a client, of the row `document`. */
export const hasOriginalOf = (client: SQL): SQL =>
  sql`document.originals @> jsonb_build_array(jsonb_build_object('client_id', ${client}))`;
