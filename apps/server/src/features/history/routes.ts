import type { ReadCalls } from '../../http/call-handlers.ts';
import { readCaseHistory } from './read-case-history.ts';

const usualPage = 50;

export const historyRoutes: ReadCalls<'GET /case-history'> = {
  'GET /case-history': {
    read: ({ query }) => readCaseHistory({ ...query, limit: query.limit ?? usualPage }),
  },
};
