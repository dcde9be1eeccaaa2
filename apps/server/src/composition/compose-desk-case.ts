import { createCaseReader } from '../case-file/cases/read-desk-case.ts';
import type { ContentDependencies } from '../case-file/documents/read-content.ts';
import type { ImportDependencies } from '../case-file/import/batches/batch-context.ts';
import type { DeskCaseDependencies } from '../doors/staff/case-routes.ts';
import { billsOf, type StoredBill, toBillWithPayments } from '../payments/bills/bills-store.ts';
import { toDeskBill } from '../payments/bills/list-bills.ts';
import { createLoginThrottle } from '../people/credentials/login-throttle.ts';

/** Connects the reading and editing of cases at the desk with the bills that clients pay. */
export const composeDeskCase = (
  importDependencies: ImportDependencies,
  contents: ContentDependencies,
): DeskCaseDependencies => ({
  ...importDependencies,
  contents,
  throttle: createLoginThrottle(importDependencies),
  readCase: createCaseReader(
    {
      select: billsOf,
      toBills: (stored, today) =>
        (stored as StoredBill[]).map((bill) => toDeskBill(toBillWithPayments(bill), today)),
    },
    importDependencies.clock,
  ),
});
