import { DomainError } from '../../../platform/domain-error.ts';
import { inUseReason, staleReason } from '../batches/write-changes.ts';
import type { RejectedRecord } from '../import-feed.ts';
import { FeedBusy, FeedError, FeedNotPermitted } from '../read-feed.ts';
import { invalidKey } from './feed-caller.ts';

export const invalid = (field: string, reason: string) =>
  new DomainError('invalid_input', { errors: { [field]: [reason] } });

/** @returns a value as JSON @throws DomainError `invalid_input` */
export function stringify(value: unknown, field = 'body'): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw error instanceof RangeError ? invalid(field, 'is nested too deeply') : error;
  }
}

/** @returns the answer to an import that failed as a whole */
export function faultOf(error: unknown): unknown {
  if (error instanceof FeedBusy) return new DomainError('unavailable');
  if (error instanceof FeedNotPermitted) return invalidKey();
  return error instanceof FeedError
    ? new DomainError('feed_not_possible', { message: error.message })
    : error;
}

/** @param record the place of the record in its feed */
export function faultOfRecord({ place, reason }: RejectedRecord, record: string): DomainError {
  if (reason === inUseReason) return new DomainError('unavailable');
  if (reason === staleReason)
    return new DomainError('feed_not_possible', { message: `The record ${reason}.` });
  return invalid(place.slice(record.length + 1).replaceAll('/', '.') || 'body', reason);
}
