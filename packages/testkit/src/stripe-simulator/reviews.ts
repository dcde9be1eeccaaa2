import type Stripe from 'stripe';
import { findCharge } from './charges.ts';
import { findIntent } from './intents.ts';
import { isWithin, listPage, type StripePage } from './list-page.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeState } from './stripe-state.ts';

/** Stripe's manual reviews of payments that look risky. */
export interface StripeReviews {
  all(): Stripe.Review[];
  find(id: string): Stripe.Review;
  list(params: Stripe.ReviewListParams): StripePage<Stripe.Review>;
  /** Opens a review of a charge. */
  open(chargeId: string): Stripe.Review;
  close(id: string, reason?: Stripe.Review.ClosedReason): Stripe.Review;
}

/** Creates the operations on the reviews of an account. */
export function createReviews(state: StripeState): StripeReviews {
  const find = (id: string) => {
    const review = state.reviews.get(id);
    if (!review) throw resourceMissing('review', id);
    return review;
  };
  return {
    all: () => [...state.reviews.values()],
    find,
    // Stripe lists open reviews only.
    list: (params) => {
      const found = [...state.reviews.values()].filter(
        ({ created, open }) => open && isWithin(created, params.created),
      );
      return listPage('/v1/reviews', found, params);
    },
    open: (chargeId) => {
      const charge = findCharge(state, chargeId);
      const review = newReview(state, charge.id, charge.payment_intent);
      state.reviews.set(review.id, review);
      charge.review = review.id;
      findIntent(state, charge.payment_intent).review = review.id;
      state.emit('review.opened', review);
      return review;
    },
    close: (id, reason = 'approved') => {
      const review = find(id);
      review.open = false;
      review.closed_reason = reason;
      review.reason = reason;
      if (typeof review.charge === 'string') findCharge(state, review.charge).review = null;
      if (typeof review.payment_intent === 'string') findIntent(state, review.payment_intent).review = null;
      state.emit('review.closed', review);
      return review;
    },
  };
}

const newReview = (state: StripeState, charge: string, intent: string): Stripe.Review => ({
  id: newId('prv'),
  object: 'review',
  billing_zip: null,
  charge,
  closed_reason: null,
  created: nowOf(state),
  ip_address: null,
  ip_address_location: null,
  livemode: state.isLive,
  open: true,
  opened_reason: 'rule',
  payment_intent: intent,
  reason: 'rule',
  session: null,
});
