import type { CaseSearchStatus, FeedRecord } from '@keyturn/contract';
import { notPossible } from '../../platform/domain-error.ts';
import { withChanges } from '../editing/edit-record.ts';

type SearchRecord = FeedRecord<'searches'>;

const words: Record<CaseSearchStatus, string> = {
  awaiting_payment: 'waiting for payment',
  paid: 'paid',
  ordered: 'ordered',
  returned: 'back',
  reviewed: 'reviewed',
  cancelled: 'cancelled',
};

/**
 * Explains why a search cannot be ordered, returned or cancelled in its state.
 * @param isUnderPayment whether a client’s payment for it is neither paid nor cancelled
 * @throws DomainError `edit_not_possible`
 */
export function checkStep(
  { status, name }: SearchRecord,
  step: 'order' | 'return' | 'cancel',
  isUnderPayment: boolean,
): void {
  if (!allowedFrom[step].includes(status))
    throw notPossible(`${name} is ${words[status]}, so it can’t be ${stepWords[step]}.`);
  if (isUnderPayment && status === 'awaiting_payment') {
    throw notPossible(
      `A client is paying for ${name} at this moment. Try again once the payment has succeeded or was cancelled: it expires 90 minutes after its last activity.`,
    );
  }
}

const allowedFrom: Record<'order' | 'return' | 'cancel', readonly CaseSearchStatus[]> = {
  order: ['awaiting_payment', 'paid', 'ordered'],
  return: ['awaiting_payment', 'paid', 'ordered', 'returned', 'reviewed'],
  cancel: ['awaiting_payment', 'paid', 'ordered', 'cancelled'],
};
const stepWords = { order: 'ordered', return: 'returned', cancel: 'cancelled' };

/** @returns the search as ordered now, or unchanged if it was already ordered */
export const ordered = (
  search: SearchRecord,
  now: Date,
  expectedOn: string | null | undefined,
): SearchRecord =>
  withChanges(search, {
    ...(expectedOn === undefined ? {} : { expected_on: expectedOn }),
    ...(search.status === 'ordered' ? {} : { status: 'ordered', ordered_at: now.toISOString() }),
  });

export const cancelled = (search: SearchRecord): SearchRecord => ({ ...search, status: 'cancelled' });
