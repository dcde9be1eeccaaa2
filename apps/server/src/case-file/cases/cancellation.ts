import type { FeedRecord } from '@keyturn/contract';

type Cancellation = Pick<
  FeedRecord<'cases'>,
  'cancellation' | 'cancellation_ends_on' | 'cancellation_notice_given'
>;

/** A field of a case's right to cancel that does not fit the others, with the reason. */
export interface CancellationProblem {
  field: keyof Cancellation;
  reason: string;
}

/**
 * Checks that a period with a last day has that day and the firm's confirmation of its notice, and that another has neither.
 * @returns null if the fields fit together
 */
export function findCancellationProblem({
  cancellation = 'unknown',
  cancellation_ends_on,
  cancellation_notice_given = false,
}: Cancellation): CancellationProblem | null {
  if (cancellation !== 'ends_on') {
    if (cancellation_ends_on !== undefined)
      return { field: 'cancellation_ends_on', reason: 'is only for a cancellation that `ends_on` a day' };
    if (cancellation_notice_given)
      return {
        field: 'cancellation_notice_given',
        reason: 'is only for a cancellation that `ends_on` a day',
      };
    return null;
  }
  if (cancellation_ends_on === undefined) return { field: 'cancellation_ends_on', reason: 'is required' };
  // Without the notice the right lasts up to twelve months longer.
  if (!cancellation_notice_given)
    return {
      field: 'cancellation_notice_given',
      reason: 'must be true: without the notice of the right to cancel, send `unknown`',
    };
  return null;
}
