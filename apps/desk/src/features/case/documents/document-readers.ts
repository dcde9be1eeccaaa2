import type { DeskDocument } from '@keyturn/contract/staff';
import { formatMoment, formatShortMoment } from '@keyturn/format/dates';

/** The clients who have read a document, as its row shows them. */
export interface DocumentReaders {
  heading: string | null;
  /** Shown without readers. */
  none: string;
  readers: { id: string; name: string; at: string }[];
}

/**
 * Finds the clients who have read a document. Of a withdrawn one, all who had seen it, also only its file, with the exact
 * time: the firm has to assess what was disclosed.
 */
export function readersOf(
  { reads, seen_by, withdrawn_at }: Pick<DeskDocument, 'reads' | 'seen_by' | 'withdrawn_at'>,
  today: string,
): DocumentReaders {
  if (withdrawn_at === null)
    return {
      heading: null,
      none: 'No one yet',
      readers: reads.map(({ client, read_at }) => ({ ...client, at: formatMoment(read_at, today) })),
    };
  return {
    heading: 'Seen before it was withdrawn:',
    none: 'Not seen by a client',
    readers: seen_by.map(({ client, seen_at }) => ({ ...client, at: formatShortMoment(seen_at) })),
  };
}
