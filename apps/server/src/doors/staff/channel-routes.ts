import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { DeskChannel } from './channel/ports.ts';

/**
 * Returns the handler with which the desk follows its channel.
 * @param channel null: there is none
 */
export function channelHandlers(channel: DeskChannel | null): StaffHandlers<'POST /staff/channel/auth'> {
  return {
    'POST /staff/channel/auth': async ({ staff, body }) => {
      const authorised = (await channel?.authorise(body.socket_id, staff)) ?? null;
      if (!authorised) throw new DomainError('not_found');
      return { auth: authorised.auth, refetch_within: authorised.refetchWithin };
    },
  };
}
