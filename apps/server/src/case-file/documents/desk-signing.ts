import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { readRecords } from '../records/read-records.ts';
import { deskPrefix } from '../records/references.ts';
import { withStoredAudience } from './audience/with-stored-audience.ts';

/**
 * Adds what the firm’s system does not know of to documents that a feed sends: the signatures that the desk has asked for, if they
 * are sent without `signing` and clients have a task to sign, and the stored audience. Called when the files are checked, and again in the transaction that writes, because
 * the desk may have changed its request meanwhile.
 */
export async function withDeskChoices(
  connection: Connection,
  documents: readonly FeedRecord<'documents'>[],
): Promise<FeedRecord<'documents'>[]> {
  const withoutSigning = documents.filter(({ signing }) => signing === undefined);
  const asked = await findAskedAtDesk(
    connection,
    withoutSigning.map(({ reference }) => reference),
  );
  const stored = await readRecords(connection, 'documents', [...asked]);
  return (await withStoredAudience(connection, documents)).map((document) => {
    const found = stored.get(document.reference)?.record as FeedRecord<'documents'> | undefined;
    if (!found) return document;
    const { signing, binds_on, received_on, originals, confirm_identity } = found;
    const kept = { signing, binds_on, received_on, originals, confirm_identity };
    return {
      ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
      ...document,
    };
  });
}

/** Finds the documents whose signatures the desk has asked for: their task to sign is one of the desk. @returns references */
async function findAskedAtDesk(connection: Connection, references: readonly string[]): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const { rows } = await connection.execute<{ reference: string }>(sql`
    select reference from documents d where reference = any(${sql.param(references)}::text[]) and signing is not null
      and exists (select from tasks t where t.document_id = d.id and t.kind = 'sign_document'
        and starts_with(t.reference, ${deskPrefix}))`);
  return new Set(rows.map(({ reference }) => reference));
}
