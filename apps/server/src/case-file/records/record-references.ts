import type { FeedList } from '@keyturn/contract';

/** The references that a valid record makes to other records, by list. */
const referencesIn: Partial<Record<FeedList, (record: Record<string, unknown>) => [FeedList, unknown][]>> = {
  cases: (record) => (record.clients as string[]).map((client) => ['clients', client]),
  matters: (record) => [['cases', record.case]],
  documents: (record) => [
    ['matters', record.matter],
    ['documents', record.supersedes],
  ],
  bills: (record) => [
    ['cases', record.case],
    ['matters', record.matter],
  ],
  searches: (record) => [
    ['matters', record.matter],
    ['documents', record.result_document],
  ],
  tasks: (record) => [
    ['cases', record.case],
    ['matters', record.matter],
    ['searches', record.search],
    ['documents', record.document],
  ],
  history: (record) => [['cases', record.case]],
};

/**
 * Collects the references that valid records of a list make to other records, and their own.
 * @returns for each list that they refer to, its references
 */
export function referencesOf(list: FeedList, records: readonly object[]): Map<FeedList, string[]> {
  const found = new Map<FeedList, string[]>([[list, []]]);
  for (const record of records) {
    const fields = record as Record<string, unknown>;
    for (const [to, reference] of [
      [list, fields.reference] as const,
      ...(referencesIn[list]?.(fields) ?? []),
    ]) {
      if (typeof reference !== 'string') continue;
      const references = found.get(to);
      if (references) references.push(reference);
      else found.set(to, [reference]);
    }
  }
  return found;
}

/** @returns null for an unchecked record without a valid reference */
export function referenceOf(record: unknown): string | null {
  const reference = (record as { reference?: unknown } | null)?.reference;
  return typeof reference === 'string' ? reference : null;
}
