import type { CallHandlers } from '../../http/call-handlers.ts';
import type { Database } from '../../platform/database.ts';
import { changeActiveCase } from './change-active-case.ts';
import { type ReadConveyancingCase, readClient } from './read-client.ts';

export interface ClientRoutesDependencies {
  database: Database;
  readConveyancingCase: ReadConveyancingCase;
}

export function clientRoutes({
  database,
  readConveyancingCase,
}: ClientRoutesDependencies): CallHandlers<'GET /client' | 'PUT /client/active-case'> {
  return {
    'GET /client': ({ client }) => readClient(database, client.id, readConveyancingCase),
    'PUT /client/active-case': async ({ client, body }) => {
      await changeActiveCase(database, client.id, body.id);
      return readClient(database, client.id, readConveyancingCase);
    },
  };
}
