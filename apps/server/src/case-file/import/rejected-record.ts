import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { inUseReason, staleReason } from './batches/write-changes.ts';
import type { RecordProblem } from './read-feed.ts';

/** A record that was not stored, with its place in the feed and the reason. */
export type RejectedRecord = RecordProblem & { reference: string | null };

/** @param record the place of the record in its feed @returns why one record was rejected, as an error of the API */
export function faultOfRecord({ place, reason }: RejectedRecord, record: string): DomainError {
  if (reason === inUseReason) return new DomainError('unavailable');
  if (reason === staleReason)
    return new DomainError('feed_not_possible', { message: `The record ${reason}.` });
  return invalidInput(place.slice(record.length + 1).replaceAll('/', '.') || 'body', reason);
}
