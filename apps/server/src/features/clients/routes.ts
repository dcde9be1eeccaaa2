import type { CallHandlers, ReadCalls } from '../../http/call-handlers.ts';
import type { Database } from '../../platform/database.ts';
import { changeActiveCase } from './change-active-case.ts';
import type { ReadClient } from './read-client.ts';

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
