import type { FeedList } from '@keyturn/contract';
import type { RecordField } from './define-record.ts';
import type { Known } from './find-known.ts';
import { type OrderedList, parentOfList, recordDefinitions } from './record-definitions.ts';
import type { KnownByReference } from './record-writer.ts';
import { RecordRejected } from './rejected-record.ts';

/** The prefix of references of records that are made in Keyturn: those that staff add at the desk, and clients’ requests. The feed cannot create them. */
export const deskPrefix = 'desk-';

/** @param id a random id, so that no two records ever have the same reference */
export const deskReference = (id: string): string => deskPrefix + id;

/** @returns null for an unchecked record without a valid reference */
export const referenceOf = (record: unknown): string | null => textOf(record, 'reference');

/** @returns the reference of the case or matter that an unchecked record names; null without one */
export const parentReferenceOf = (list: OrderedList, record: unknown): string | null =>
  textOf(record, parentOfList[list].field);

function textOf(record: unknown, field: string): string | null {
  const value = (record as Record<string, unknown> | null)?.[field];
  return typeof value === 'string' ? value : null;
}

/**
 * Collects the references that valid records of a list make to other records, and their own.
 * @returns for each list that they refer to, its references
 */
export function referencesOf(list: FeedList, records: readonly object[]): Map<FeedList, string[]> {
  const found = new Map<FeedList, string[]>([[list, []]]);
  const referring = Object.entries(recordDefinitions[list].fields as Record<string, RecordField>).flatMap(
    ([field, { refersTo }]) => (refersTo ? [{ field, to: refersTo }] : []),
  );
  for (const record of records) {
    const fields = record as Record<string, string | string[] | undefined>;
    for (const { field, to } of [{ field: 'reference', to: list }, ...referring]) {
      const references = found.get(to) ?? [];
      found.set(to, references);
      references.push(...[fields[field] ?? []].flat());
    }
  }
  return found;
}

interface WithKnown {
  known: KnownByReference;
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
