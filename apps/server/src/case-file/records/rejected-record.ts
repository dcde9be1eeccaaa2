import { type DomainError, invalidInput } from '../../platform/domain-error.ts';
import type { RecordProblem } from './find-problem.ts';

/** A record that was not stored, with its place in the feed and the reason. */
export type RejectedRecord = RecordProblem & { reference: string | null };

/**
 * Explains why a record was rejected, as an error of the API.
 * @param problem with its place
 * @param record the place of the record in its feed; empty for a record without a feed
 */
export const faultOfRecord = ({ place, reason }: RecordProblem, record = ''): DomainError =>
  invalidInput(place.slice(record.length + 1).replaceAll('/', '.') || 'body', reason);
