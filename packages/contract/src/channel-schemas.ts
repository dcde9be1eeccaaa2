import { type Static, Type } from 'typebox';
import { Id } from './entities/values.ts';

/**
 * The contents of the events of the real-time channel, whose names are in `channel-names.ts`. An event names only what to
 * fetch again, so that no details of a case are ever sent through the channel.
 */

/** The content of every event. */
export const EventContent = Type.Object({
  /**
   * Increases with each change of the same records. A receiver that has seen a higher version can ignore the event.
   */
  version: Type.Integer(),
  /**
   * The ids of changed records, such as payments for `PaymentUpdated`. If empty, any record of this kind may have
   * changed.
   */
  ids: Type.Array(Id),
});
export type EventContent = Static<typeof EventContent>;

/** What the other members of a presence channel see of a client. */
export const PresentClient = Type.Object({ first_name: Type.String() });
export type PresentClient = Static<typeof PresentClient>;

const ChannelName = Type.String({ minLength: 1, maxLength: 164 });

/** The body of `/broadcasting/auth` and `/broadcasting/user-auth`, as JSON or as a form. */
export const BroadcastingAuthBody = Type.Object({
  socket_id: Type.String({ pattern: '^\\d{1,20}\\.\\d{1,20}$' }),
  /** Only for `auth`. A list is accepted only in JSON; the response has a status for each channel. */
  channel_name: Type.Optional(
    Type.Union([ChannelName, Type.Array(ChannelName, { minItems: 1, maxItems: 100 })]),
  ),
});
export type BroadcastingAuthBody = Static<typeof BroadcastingAuthBody>;
