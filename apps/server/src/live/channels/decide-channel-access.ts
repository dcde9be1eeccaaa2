import type { PresentClient } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { defineRead } from '../../platform/reads/client-read.ts';

/** The facts that determine which channels a client may subscribe to. */
export interface ChannelAccess {
  clientId: string;
  firstName: string;
  caseIds: string[];
}

/** Reads a client's access to all channels at once. */
export const readChannelAccess = defineRead<Omit<ChannelAccess, 'clientId'>, ChannelAccess, object>({
  name: 'read_channel_access',
  select: (client) => sql`(
    select json_build_object('firstName', first_name, 'caseIds',
      array(select case_id from case_clients where client_id = ${client}))
    from clients where id = ${client})`,
  toAnswer: (facts, { clientId }) => ({ ...facts, clientId }),
})({});

/** Decides whether a client may subscribe to a channel, and which details a presence channel shows of them. */
export function decideChannelAccess(
  { clientId, firstName, caseIds }: ChannelAccess,
  channel: string,
): boolean | { userId: string; userInfo: PresentClient } {
  if (channel === `private-client.${clientId}`) return true;
  const [, kind, caseId] = /^(private|presence)-case\.([\w-]+)$/.exec(channel) ?? [];
  if (!kind || !caseId || !caseIds.includes(caseId)) return false;
  return kind === 'private' || { userId: clientId, userInfo: { first_name: firstName } };
}
