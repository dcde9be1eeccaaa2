import type { CallHandlers } from '../../http/call-handlers.ts';
import type { Database } from '../../platform/database.ts';
import { readCaseHistory } from './read-case-history.ts';

const usualPage = 50;

export function historyRoutes({ database }: { database: Database }): CallHandlers<'GET /case-history'> {
  return {
    'GET /case-history': ({ client, query }) =>
      readCaseHistory(database, client.id, { ...query, limit: query.limit ?? usualPage }),
  };
}
