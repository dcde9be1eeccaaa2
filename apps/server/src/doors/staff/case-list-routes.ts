import type { CaseListCallKey } from '@keyturn/contract/staff';
import { deleteCaseView, listCaseViews, saveCaseView } from '../../case-file/case-list/case-views.ts';
import { findNextCase, listCaseFilters, listCases } from '../../case-file/case-list/list-cases.ts';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

/** Returns the handlers of the list of cases. */
export function caseListHandlers(dependencies: {
  database: Database;
  clock: Clock;
}): StaffHandlers<CaseListCallKey> {
  const { database, clock } = dependencies;
  return {
    'GET /staff/cases': ({ query: { after, ...filter } }) =>
      listCases(database, { filter, after, now: clock() }),
    'GET /staff/next-case': ({ query: { after, ...filter } }) =>
      findNextCase(database, { filter, after, now: clock() }),
    'GET /staff/case-filters': () => listCaseFilters(database),
    'GET /staff/case-views': ({ staff }) => listCaseViews(database, staff.id),
    'POST /staff/case-views': ({ staff, body }) => saveCaseView(dependencies, staff.id, body),
    'DELETE /staff/case-views/{id}': async ({ staff, params }) => {
      await deleteCaseView(database, staff.id, params.id);
      return undefined;
    },
  };
}
