import type { ErasurePlan } from '@keyturn/contract/staff';
import type { CaseOfClient } from '../erasure/plan-erasure.ts';

/** Returns the fields that a kept case and one in a plan of an erasure have at the desk. */
export const toCaseSummary = ({
  retainedUntil,
  sharedWith,
  ...found
}: CaseOfClient): ErasurePlan['erased'][number] => ({
  reference: found.reference,
  title: found.title,
  documents: found.documents,
  signatures: found.signatures,
  payments: found.payments,
  retained_until: retainedUntil?.toISOString() ?? null,
  shared_with: sharedWith,
});
