import { type Static, Type } from 'typebox';
import { Id } from './entities.ts';

/**
 * The real-time channel: what is told, on which channels. An event names what to read again and holds nothing of it,
 * so that nothing of a case ever leaves by this way.
 */

/** What an event says; the same for all. */
export const EventContent = Type.Object({
  /** Grows with each change of the same thing: who was told a greater one of it has been told this one. */
  version: Type.Integer(),
  /** What changed, such as payments for `PaymentUpdated`. Empty: all of the kind, or more than is worth naming. */
  ids: Type.Array(Id),
});
export type EventContent = Static<typeof EventContent>;

/** What the others on a presence channel learn of a client. */
export const PresentClient = Type.Object({ first_name: Type.String() });
export type PresentClient = Static<typeof PresentClient>;

/** What `/broadcasting/auth` and `/broadcasting/user-auth` take, as JSON or as a form. */
export const BroadcastingAuthBody = Type.Object({
  socket_id: Type.String({ pattern: '^\\d{1,20}\\.\\d{1,20}$' }),
  /** For `auth` alone. */
  channel_name: Type.Optional(Type.String({ minLength: 1, maxLength: 164 })),
});
export type BroadcastingAuthBody = Static<typeof BroadcastingAuthBody>;
