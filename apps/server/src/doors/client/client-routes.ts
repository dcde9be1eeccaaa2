import type { CallHandlers, ReadCalls } from '../../http/call-handlers.ts';
import { changeActiveCase } from '../../people/clients/profile/change-active-case.ts';
import type { ReadClient } from '../../people/clients/profile/read-client.ts';
import type { Database } from '../../platform/database.ts';

export interface ClientRoutesDependencies {
  database: Database;
  readClient: ReadClient;
}

export function clientRoutes({
  database,
  readClient,
}: ClientRoutesDependencies): ReadCalls<'GET /client'> & CallHandlers<'PUT /client/active-case'> {
  return {
    'GET /client': { read: readClient },
    'PUT /client/active-case': async ({ client, body }) => {
      await changeActiveCase(database, client.id, body.id);
      return readClient().forClient(database, client.id);
    },
  };
}
