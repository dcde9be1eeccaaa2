import { DomainError } from '../../platform/domain-error.ts';
import type { InputProblem } from '../../platform/requests/find-problems.ts';
import { allReasons, type RecordProblem, withOthers } from './find-problem.ts';

/** Thrown for a rejected record; the message is the reason. */
export class RecordRejected extends Error {
  override name = 'RecordRejected';
  /** Path of the field within the record, for example `/price/net`. */
  readonly field: string;
  readonly others: readonly InputProblem[];

  constructor(field: string, reason: string, others: readonly InputProblem[] = []) {
    super(reason);
    this.field = field;
    this.others = others;
  }

  get problem(): RecordProblem {
    return withOthers({ place: this.field, reason: this.message }, this.others);
  }
}

/** A record that was not stored, with its place in the feed and the reason. */
export type RejectedRecord = RecordProblem & { reference: string | null };

/** Writes all reasons of a rejected record as one text, with the places of the others within the record. */
export const reasonsInFeed = (rejected: RejectedRecord): string =>
  allReasons(rejected, /^\/[^/]*\/[^/]*/.exec(rejected.place)?.[0] ?? '');

/**
 * Explains why a record was rejected, as an error of the API.
 * @param problem with its place
 * @param record the place of the record in its feed; empty for a record without a feed
 */
export function faultOfRecord({ others = [], ...first }: RecordProblem, record = ''): DomainError {
  const errors: Record<string, string[]> = Object.create(null);
  for (const { place, reason } of [first, ...others]) {
    const field = place.slice(record.length + 1).replaceAll('/', '.') || 'body';
    errors[field] = [...(errors[field] ?? []), reason];
  }
  return new DomainError('invalid_input', { errors });
}
