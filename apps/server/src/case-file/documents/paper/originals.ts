import { type FeedRecord, isSignedOnPaper } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { RecordRejected } from '../../records/rejected-record.ts';
import type { NamedClient } from '../audience/find-named-clients.ts';

/* A paper that joint owners sign as counterparts: each signer has an original, and the firm receives each on its own day. */

/** An original as it is stored. */
export interface StoredOriginal {
  client_id: string;
  received_on: string;
}

type DocumentRecord = FeedRecord<'documents'>;

/**
 * Converts the originals of a record to those that are stored, and finds the day on which the last one came.
 * @param signers the clients of its case, and those who have left it
 * @throws RecordRejected
 */
export function planOriginals(
  { signing, originals = [], received_on }: DocumentRecord,
  signers: readonly NamedClient[],
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
