import type { CallHandlers } from '../../http/call-handlers.ts';
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  type OwnSessionsDependencies,
} from '../../people/clients/own-sessions.ts';

type SessionCalls = 'GET /sessions' | 'DELETE /sessions' | 'DELETE /sessions/{id}';

export const sessionRoutes = (dependencies: OwnSessionsDependencies): CallHandlers<SessionCalls> => ({
  'GET /sessions': ({ client }) => listOwnSessions(dependencies, client),
  'DELETE /sessions': async ({ client, address }) => {
    await endOtherSessions(dependencies, { ...client, address });
    return undefined;
  },
  'DELETE /sessions/{id}': async ({ params, client, address }) => {
    await endOwnSession(dependencies, { ...client, address }, params.id);
    return undefined;
  },
});
