import type { StaffHandlers } from '../../../http/staff/staff-handlers.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { DeskChannel } from './ports.ts';

/**
 * Returns the handlers with which the desk follows its channel.
 * @param channel null: there is none
 */
export function channelHandlers(
  channel: DeskChannel | null,
): StaffHandlers<'GET /staff/channel' | 'POST /staff/channel/auth'> {
  return {
    'GET /staff/channel': async () => channel?.config ?? null,
    'POST /staff/channel/auth': async ({ staff, body }) => {
      const authorised = (await channel?.authorise(body.socket_id, staff)) ?? null;
      if (!authorised) throw new DomainError('not_found');
      return { auth: authorised.auth, refetch_within: authorised.refetchWithin };
    },
  };
}
