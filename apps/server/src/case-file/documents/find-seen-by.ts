import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';

/** A client who has opened a document or was sent its file, and when they first did. */
export interface SeenBy {
  clientId: string;
  name: string;
  at: Date;
}

/** Finds the clients who have opened a document or were sent its file, those who did first at the start. */
export async function findSeenBy(connection: Connection, documentId: string): Promise<SeenBy[]> {
  const { rows } = await connection.execute<{ client_id: string; name: string; at: string | Date }>(sql`
    select c.id as client_id, c.first_name || ' ' || c.last_name as name, min(seen.at) as at
    from (${seenTimes(sql`${documentId}`)}) seen join clients c on c.id = seen.client_id
    group by c.id order by min(seen.at), c.id`);
  return rows.map(({ client_id, name, at }) => ({ clientId: client_id, name, at: new Date(at) }));
}

/** Writes when each client opened a document or was sent its file. */
const seenTimes = (documentId: ReturnType<typeof sql>) => sql`
  select client_id, read_at as at from document_reads where document_id = ${documentId}
  union all select client_id, delivered_at from document_deliveries where document_id = ${documentId}`;
