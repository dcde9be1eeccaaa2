import type { CallHandlers } from '../../http/call-handlers.ts';
import type { Database } from '../../platform/database.ts';
import { readCaseSearch, readCaseSearches } from './read-case-searches.ts';

export function searchRoutes({
  database,
}: {
  database: Database;
}): CallHandlers<'GET /case-searches' | 'GET /case-searches/{id}'> {
  return {
    'GET /case-searches': ({ client }) => readCaseSearches(database, client.id),
    'GET /case-searches/{id}': ({ client, params }) => readCaseSearch(database, client.id, params.id),
  };
}
