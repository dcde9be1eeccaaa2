import type Stripe from 'stripe';
import { resourceMissing } from './stripe-api-error.ts';

/** A page of a list, as Stripe returns it. */
export type StripePage<Item> = Stripe.ApiList<Item>;

/**
 * Returns one page of a list, newest first.
 * @param items oldest first
 */
export function listPage<Item extends { id: string }>(
  url: string,
  items: Iterable<Item>,
  { limit = 10, starting_after, ending_before }: Stripe.PaginationParams,
): StripePage<Item> {
  const all = [...items].reverse();
  const indexOf = (id: string, param: string) => {
    const index = all.findIndex((item) => item.id === id);
    if (index < 0) throw resourceMissing('object', id, param);
    return index;
  };
  if (ending_before !== undefined) {
    const end = indexOf(ending_before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', url, has_more: start > 0, data: all.slice(start, end) };
  }
  const start = starting_after === undefined ? 0 : indexOf(starting_after, 'starting_after') + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', url, has_more: start + data.length < all.length, data };
}

/** Whether a time is within a range, or equal to a number. */
export function isWithin(time: number, range: Stripe.RangeQueryParam | number | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return time === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return time > gt && time >= gte && time < lt && time <= lte;
}

/** Whether a value equals a filter, if there is one. */
export const matches = <Value>(filter: Value | undefined, value: Value | null): boolean =>
  filter === undefined || filter === value;
