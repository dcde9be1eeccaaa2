import type { FeedList } from '@keyturn/contract';

/** The references that an unchecked record makes to other records, by list. */
const referencesIn: Partial<Record<FeedList, (record: Record<string, unknown>) => [FeedList, unknown][]>> = {
  cases: (record) =>
    (Array.isArray(record.clients) ? record.clients : []).map((client) => ['clients', client]),
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

/** All references to records of one list in a feed, including the records' own. */
export function referencesTo(list: FeedList, lists: Record<FeedList, unknown[]>): string[] {
  const found: string[] = [];
  for (const [from, records] of Object.entries(lists) as [FeedList, unknown[]][]) {
    for (const record of records) {
      if (typeof record !== 'object' || record === null) continue;
      const fields = record as Record<string, unknown>;
      const references = [
        [from, fields.reference] as [FeedList, unknown],
        ...(referencesIn[from]?.(fields) ?? []),
      ];
      for (const [to, reference] of references) {
        if (to === list && typeof reference === 'string' && isStorable(reference)) found.push(reference);
      }
    }
  }
  return found;
}

/** @returns null for an unchecked record without a valid reference */
export function referenceOf(record: unknown): string | null {
  const reference = (record as { reference?: unknown } | null)?.reference;
  return typeof reference === 'string' ? reference : null;
}

/** PostgreSQL text can hold neither NUL nor a lone surrogate. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
