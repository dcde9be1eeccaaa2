import { Type } from 'typebox';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { staffRoles } from './staff-entities.ts';

/** The call with which the desk follows its channel. The page has the settings of the connection. */
export const channelCalls = {
  'POST /staff/channel/auth': {
    summary: 'Authorise a connection to subscribe to the desk’s channel; it ends with the session',
    ...deskDefaults,
    access: staffRoles,
    body: {
      schema: Type.Object(
        { socket_id: Type.String({ pattern: '^\\d{1,20}\\.\\d{1,20}$' }) },
        { additionalProperties: false },
      ),
      optional: false,
    },
    data: Type.Object({
      /** The signature that a Pusher client sends to subscribe. */
      auth: Type.String(),
      /** The period, in milliseconds, over which desks should spread fetching their data again after a gap. */
      refetch_within: Type.Integer(),
    }),
    errors: ['unauthenticated', 'factor_required', 'not_from_desk', 'invalid_input', 'not_found'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
