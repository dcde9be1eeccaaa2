import type { PathCallKey } from '@keyturn/contract/staff';
import type { EditDependencies } from '../../case-file/editing/edit-case.ts';
import { applyPath, previewPath } from '../../case-file/matters/apply-path.ts';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';
import { isSessionOpen } from '../../platform/credentials/signed-in-staff.ts';

/** Returns the handlers of the calls with which admins give running matters a changed path. */
export const pathHandlers = (dependencies: EditDependencies): StaffHandlers<PathCallKey> => ({
  'GET /staff/milestone-paths/{matter_type}/matters': ({ params }) =>
    previewPath(dependencies.database, params.matter_type),
  'POST /staff/milestone-paths/{matter_type}/matters': (request) =>
    applyPath(dependencies, request.params.matter_type, request.body.version, {
      ...byStaff(request),
      mayEdit: (transaction) => isSessionOpen(transaction, request.staff),
    }),
});
