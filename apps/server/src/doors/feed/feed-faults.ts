import { inUseReason, staleReason } from '../../case-file/import/batches/write-changes.ts';
import { FeedBusy, FeedError, FeedNotPermitted } from '../../case-file/import/read-feed.ts';
import type { RecordProblem } from '../../case-file/records/find-problem.ts';
import { faultOfRecord } from '../../case-file/records/rejected-record.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { invalidKey } from './feed-caller.ts';

/** @returns a value as JSON @throws DomainError `invalid_input` */
export function stringify(value: unknown, field = 'body'): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw error instanceof RangeError ? invalidInput(field, 'is nested too deeply') : error;
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

/** @param record the place of the record in its feed @returns why it was rejected, as an error of the API */
export function faultOfFeedRecord(problem: RecordProblem, record: string): DomainError {
  if (problem.reason === inUseReason) return new DomainError('unavailable');
  if (problem.reason === staleReason)
    return new DomainError('feed_not_possible', { message: `The record ${staleReason}.` });
  return faultOfRecord(problem, record);
}
