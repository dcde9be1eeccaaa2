import type Stripe from 'stripe';
import type { StripeOperations } from './stripe-account.ts';

/** A call of Stripe's API. */
export interface StripeRoute {
  /** Such as `GET /v1/payment_intents/:id`. */
  name: string;
  /** The name of the parameters' type in the description. */
  params: string;
  /** The name of the answered object's type, or that of a list's items. */
  item: string;
  isList: boolean;
  answer(account: StripeOperations, params: never, id: string): object;
}

/** @param types the types of the parameters and of the answer, such as `RefundListParams → Refund[]` */
function route<Params>(
  name: string,
  types: `${string} → ${string}`,
  answer: (account: StripeOperations, params: Params, id: string) => object,
): StripeRoute {
  const [params = '', item = ''] = types.split(' → ');
  return { name, params, item: item.replace('[]', ''), isList: item.endsWith('[]'), answer };
}

/** The calls that the simulator answers. */
export const routes: readonly StripeRoute[] = [
  route('GET /v1/account', 'AccountRetrieveCurrentParams → Account', ({ object }) => object),
  route(
    'POST /v1/payment_intents',
    'PaymentIntentCreateParams → PaymentIntent',
    ({ intents }, params: Stripe.PaymentIntentCreateParams) => {
      const intent = intents.create(params);
      return params.confirm
        ? intents.confirm(intent.id, params.payment_method ?? '', params.return_url)
        : intent;
    },
  ),
  route(
    'GET /v1/payment_intents',
    'PaymentIntentListParams → PaymentIntent[]',
    ({ intents }, params: Stripe.PaymentIntentListParams) => intents.list(params),
  ),
  route(
    'GET /v1/payment_intents/:id',
    'PaymentIntentRetrieveParams → PaymentIntent',
    ({ intents }, _params, id) => intents.find(id),
  ),
  route(
    'POST /v1/payment_intents/:id',
    'PaymentIntentUpdateParams → PaymentIntent',
    ({ intents }, params: Stripe.PaymentIntentUpdateParams, id) => intents.update(id, params),
  ),
  route(
    'POST /v1/payment_intents/:id/confirm',
    'PaymentIntentConfirmParams → PaymentIntent',
    ({ intents }, params: Stripe.PaymentIntentConfirmParams, id) =>
      intents.confirm(id, params.payment_method ?? '', params.return_url),
  ),
  route(
    'POST /v1/payment_intents/:id/cancel',
    'PaymentIntentCancelParams → PaymentIntent',
    ({ intents }, params: Stripe.PaymentIntentCancelParams, id) => intents.cancel(id, params),
  ),
  route('GET /v1/charges', 'ChargeListParams → Charge[]', ({ charges }, params: Stripe.ChargeListParams) =>
    charges.list(params),
  ),
  route('GET /v1/charges/:id', 'ChargeRetrieveParams → Charge', ({ charges }, _params, id) =>
    charges.find(id),
  ),
  route('POST /v1/refunds', 'RefundCreateParams → Refund', ({ refunds }, params: Stripe.RefundCreateParams) =>
    refunds.create(params),
  ),
  route('GET /v1/refunds', 'RefundListParams → Refund[]', ({ refunds }, params: Stripe.RefundListParams) =>
    refunds.list(params),
  ),
  route('GET /v1/refunds/:id', 'RefundRetrieveParams → Refund', ({ refunds }, _params, id) =>
    refunds.find(id),
  ),
  route('POST /v1/refunds/:id/cancel', 'RefundCancelParams → Refund', ({ refunds }, _params, id) =>
    refunds.cancel(id),
  ),
  route(
    'GET /v1/disputes',
    'DisputeListParams → Dispute[]',
    ({ disputes }, params: Stripe.DisputeListParams) => disputes.list(params),
  ),
  route('GET /v1/disputes/:id', 'DisputeRetrieveParams → Dispute', ({ disputes }, _params, id) =>
    disputes.find(id),
  ),
  route(
    'POST /v1/disputes/:id',
    'DisputeUpdateParams → Dispute',
    ({ disputes }, params: Stripe.DisputeUpdateParams, id) => disputes.update(id, params),
  ),
  route('POST /v1/disputes/:id/close', 'DisputeCloseParams → Dispute', ({ disputes }, _params, id) =>
    disputes.close(id),
  ),
  route(
    'GET /v1/balance_transactions',
    'BalanceTransactionListParams → BalanceTransaction[]',
    ({ balanceTransactions }, params: Stripe.BalanceTransactionListParams) =>
      balanceTransactions.list(params),
  ),
  route(
    'GET /v1/balance_transactions/:id',
    'BalanceTransactionRetrieveParams → BalanceTransaction',
    ({ balanceTransactions }, _params, id) => balanceTransactions.find(id),
  ),
  route('GET /v1/balance', 'BalanceRetrieveParams → Balance', ({ balanceTransactions }) =>
    balanceTransactions.asBalance(),
  ),
  route('GET /v1/payouts', 'PayoutListParams → Payout[]', ({ payouts }, params: Stripe.PayoutListParams) =>
    payouts.list(params),
  ),
  route('GET /v1/payouts/:id', 'PayoutRetrieveParams → Payout', ({ payouts }, _params, id) =>
    payouts.find(id),
  ),
  route(
    'GET /v1/radar/early_fraud_warnings',
    'EarlyFraudWarningListParams → EarlyFraudWarning[]',
    ({ earlyFraudWarnings }, params: Stripe.Radar.EarlyFraudWarningListParams) =>
      earlyFraudWarnings.list(params),
  ),
  route(
    'GET /v1/radar/early_fraud_warnings/:id',
    'EarlyFraudWarningRetrieveParams → EarlyFraudWarning',
    ({ earlyFraudWarnings }, _params, id) => earlyFraudWarnings.find(id),
  ),
  route('GET /v1/reviews', 'ReviewListParams → Review[]', ({ reviews }, params: Stripe.ReviewListParams) =>
    reviews.list(params),
  ),
  route('GET /v1/reviews/:id', 'ReviewRetrieveParams → Review', ({ reviews }, _params, id) =>
    reviews.find(id),
  ),
  route('GET /v1/events', 'EventListParams → Event[]', ({ events }, params: Stripe.EventListParams) =>
    events.list(params),
  ),
  route('GET /v1/events/:id', 'EventRetrieveParams → Event', ({ events }, _params, id) => events.find(id)),
];

/** Finds the call of a method and path. */
export function findRoute(method: string, path: string): { route: StripeRoute; id: string } | null {
  for (const candidate of routes) {
    const [verb = '', pattern = ''] = candidate.name.split(' ');
    const found = new RegExp(`^${pattern.replace(':id', '(\\w+)')}$`).exec(path);
    if (verb === method && found) return { route: candidate, id: found[1] ?? '' };
  }
  return null;
}
