import type { PresentClient } from '@keyturn/contract';
import type { Database } from '../../platform/database.ts';
import { findClientOnCase } from './events-store.ts';

/** Decides whether a client may subscribe to a channel, and which details a presence channel shows of them. */
export async function decideChannelAccess(
  database: Database,
  clientId: string,
  channel: string,
): Promise<false | true | { userId: string; userInfo: PresentClient }> {
  if (channel === `private-client.${clientId}`) return true;
  const [, kind, caseId] = /^(private|presence)-case\.([\w-]+)$/.exec(channel) ?? [];
  if (!kind || !caseId) return false;
  const client = await findClientOnCase(database, { clientId, caseId });
  if (!client) return false;
  return kind === 'private' || { userId: clientId, userInfo: { first_name: client.firstName } };
}
