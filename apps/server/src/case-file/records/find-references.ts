import type { FeedList } from '@keyturn/contract';
import type { Known } from './find-known.ts';
import { RecordRejected } from './record-rejected.ts';
import type { KnownByReference } from './record-writer.ts';

interface WithKnown {
  known: KnownByReference;
}

/** Rejects timestamps that the schema accepts but that do not exist, such as a leap second. */
export function instantOf(value: string, field: string): Date {
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) {
    throw new RecordRejected(field, 'must be an ISO 8601 timestamp in UTC, for example 2026-11-20T09:30:00Z');
  }
  return instant;
}

/** @throws RecordRejected when a reference does not exist or its record was rejected */
export function find({ known }: WithKnown, list: FeedList, reference: string, field: string): Known {
  const found = known[list].get(reference);
  if (!found)
    throw new RecordRejected(field, `refers to "${reference}", which does not exist or was rejected`);
  return found;
}

/** Finds an optional reference, which must be in the same case. */
export function findReferenceInCase(
  context: WithKnown,
  list: FeedList,
  reference: string | undefined,
  field: string,
  caseId: string,
): Known | undefined {
  if (reference === undefined) return undefined;
  const found = find(context, list, reference, field);
  if (found.caseId !== caseId)
    throw new RecordRejected(field, `refers to "${reference}", which belongs to another case`);
  return found;
}

/** Finds an optional reference, which must be in the same matter. */
export function findInMatter(
  context: WithKnown,
  list: 'searches' | 'documents',
  reference: string | undefined,
  field: string,
  matterId: string,
): Known | undefined {
  if (reference === undefined) return undefined;
  const found = find(context, list, reference, field);
  if (found.parent !== matterId)
    throw new RecordRejected(field, `refers to "${reference}", which belongs to another matter`);
  return found;
}

/** @throws RecordRejected when the record would move to another case or matter */
export function assertParentUnchanged(
  { known }: WithKnown,
  list: FeedList,
  reference: string,
  field: string,
  parent: string,
): string {
  const before = known[list].get(reference);
  if (before && before.parent !== '' && before.parent !== parent) {
    throw new RecordRejected(field, 'cannot change: a record stays in its case and matter');
  }
  return parent;
}
