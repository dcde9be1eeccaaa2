import { readCaseHistory } from '../../case-file/history/read-case-history.ts';
import type { ReadCalls } from '../../http/call-handlers.ts';

const usualPage = 50;

export const historyRoutes: ReadCalls<'GET /case-history'> = {
  'GET /case-history': {
    read: ({ query }) => readCaseHistory({ ...query, limit: query.limit ?? usualPage }),
  },
};
