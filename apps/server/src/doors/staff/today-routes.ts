import { type TodayCallKey, type TodayKindName, todayKindsOf } from '@keyturn/contract/staff';
import { changeItem } from '../../case-file/today/change-item.ts';
import { readToday } from '../../case-file/today/read-today.ts';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';

/** Returns the handlers of *Today*. */
export const todayHandlers = (dependencies: {
  database: Database;
  clock: Clock;
}): StaffHandlers<TodayCallKey> => ({
  'GET /staff/today': ({ query, staff }) =>
    readToday(dependencies.database, {
      member: staff,
      list: query.list ?? 'all',
      now: dependencies.clock(),
    }),
  'PUT /staff/today/{kind}/{id}': ({ params, body, staff, address }) => {
    const kind = params.kind as TodayKindName;
    if (!todayKindsOf(staff.role).includes(kind)) throw new DomainError('not_found');
    return changeItem(dependencies, { kind, id: params.id, change: body }, { member: staff, address });
  },
});
