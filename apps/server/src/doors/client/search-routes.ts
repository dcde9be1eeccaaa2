import { readCaseSearch, readCaseSearches } from '../../case-file/searches/read-case-searches.ts';
import type { ReadCalls } from '../../http/call-handlers.ts';

export const searchRoutes: ReadCalls<'GET /case-searches' | 'GET /case-searches/{id}'> = {
  'GET /case-searches': { read: () => readCaseSearches({}) },
  'GET /case-searches/{id}': { read: ({ params }) => readCaseSearch(params.id) },
};
