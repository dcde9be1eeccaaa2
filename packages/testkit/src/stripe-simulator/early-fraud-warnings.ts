import type Stripe from 'stripe';
import { findCharge } from './charges.ts';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeState } from './stripe-state.ts';

/** The card networks' warnings that a charge may be fraudulent. */
export interface StripeEarlyFraudWarnings {
  all(): Stripe.Radar.EarlyFraudWarning[];
  find(id: string): Stripe.Radar.EarlyFraudWarning;
  list(params: Stripe.Radar.EarlyFraudWarningListParams): StripePage<Stripe.Radar.EarlyFraudWarning>;
  /** A card network warns about a charge. @param fraudType such as `made_with_stolen_card` */
  warn(chargeId: string, fraudType?: string): Stripe.Radar.EarlyFraudWarning;
}

/** Creates the operations on the early fraud warnings of an account. */
export function createEarlyFraudWarnings(state: StripeState): StripeEarlyFraudWarnings {
  return {
    all: () => [...state.earlyFraudWarnings.values()],
    find: (id) => {
      const warning = state.earlyFraudWarnings.get(id);
      if (!warning) throw resourceMissing('early_fraud_warning', id);
      return warning;
    },
    list: (params) => {
      const found = [...state.earlyFraudWarnings.values()].filter(
        (warning) =>
          isWithin(warning.created, params.created) &&
          matches<unknown>(params.charge, warning.charge) &&
          matches<unknown>(params.payment_intent, warning.payment_intent ?? null),
      );
      return listPage('/v1/radar/early_fraud_warnings', found, params);
    },
    warn: (chargeId, fraudType = 'made_with_stolen_card') => {
      const charge = findCharge(state, chargeId);
      const warning: Stripe.Radar.EarlyFraudWarning = {
        id: newId('issfr'),
        object: 'radar.early_fraud_warning',
        actionable: !charge.refunded && !charge.disputed,
        charge: charge.id,
        created: nowOf(state),
        fraud_type: fraudType,
        livemode: state.isLive,
        payment_intent: charge.payment_intent,
      };
      state.earlyFraudWarnings.set(warning.id, warning);
      state.emit('radar.early_fraud_warning.created', warning);
      return warning;
    },
  };
}
