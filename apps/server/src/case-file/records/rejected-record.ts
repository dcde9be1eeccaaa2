import { type DomainError, invalidInput } from '../../platform/domain-error.ts';
import type { RecordProblem } from './find-problem.ts';

/** Thrown for a rejected record; the message is the reason. */
export class RecordRejected extends Error {
  override name = 'RecordRejected';
  /** Path of the field within the record, for example `/price/net`. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

/** A record that was not stored, with its place in the feed and the reason. */
export type RejectedRecord = RecordProblem & { reference: string | null };

/**
 * Explains why a record was rejected, as an error of the API.
 * @param problem with its place
 * @param record the place of the record in its feed; empty for a record without a feed
 */
export const faultOfRecord = ({ place, reason }: RecordProblem, record = ''): DomainError =>
  invalidInput(place.slice(record.length + 1).replaceAll('/', '.') || 'body', reason);
