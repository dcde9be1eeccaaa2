import { nowOf, type StripeCharge } from '../stripe-state.ts';
import {
  cancelRefund,
  closeDispute,
  pages,
  type RuleRequest,
  refund,
  refunding,
  type StripeRule,
  updateDispute,
} from './stripe-rule.ts';

/** The days for which a payment by bank can be refunded. */
const bankRefundDays = 730;

/** The charge to refund; undefined if the request names none that exists. */
function chargeOf({ params, state }: RuleRequest): StripeCharge | undefined {
  const intent = state.intents.get(String(params.payment_intent ?? ''));
  return state.charges.get(String(params.charge ?? intent?.latest_charge ?? ''));
}

const left = (charge: StripeCharge | undefined) => (charge ? charge.amount - charge.amount_refunded : 0);

const textsOf = ({ params }: RuleRequest): [string, string][] =>
  Object.entries((params.evidence ?? {}) as Record<string, unknown>).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );

const evidence = { call: 'POST /v1/disputes/{dispute}', given: 'disputed' } as const;

/** Rules about refunds and disputes. */
export const refundRules: readonly StripeRule[] = [
  {
    id: 'refund-of-nothing',
    calls: [refund],
    parameter: 'charge, payment_intent',
    rule: 'A refund names a charge or an intent.',
    source: pages.createRefund,
    check: ({ params }) => !params.charge && !params.payment_intent,
    error: { code: 'parameter_missing', message: 'One of charge or payment_intent is required.' },
    breaks: [{ call: refund, send: 'amount=100' }, { call: refund }],
  },
  {
    id: 'refund-of-both',
    calls: [refund],
    parameter: 'charge, payment_intent',
    rule: 'A refund names a charge or an intent, not both.',
    source: 'judged from https://docs.stripe.com/api/refunds/create',
    check: ({ params }) => params.charge !== undefined && params.payment_intent !== undefined,
    error: {
      code: 'parameters_exclusive',
      message: 'You may only specify one of these parameters: charge, payment_intent.',
    },
    breaks: [refunding('payment_intent={intent}&charge={charge}')],
  },
  {
    id: 'refund-amount-positive',
    calls: [refund],
    parameter: 'amount',
    rule: 'A refund has a positive amount.',
    source: pages.errorCodes,
    check: ({ params: { amount } }) => typeof amount === 'number' && amount < 1,
    error: { code: 'parameter_invalid_integer', param: 'amount', message: 'Invalid positive integer.' },
    breaks: [refunding('payment_intent={intent}&amount=0'), refunding('charge={charge}&amount=-1')],
  },
  {
    id: 'refund-unpaid',
    calls: [refund],
    parameter: 'payment_intent',
    rule: 'Only a payment that was made can be refunded.',
    source: pages.createRefund,
    check: (request) =>
      request.state.intents.has(String(request.params.payment_intent ?? '')) &&
      chargeOf(request)?.status !== 'succeeded',
    error: { code: null, message: 'This PaymentIntent does not have a successful charge to refund.' },
    breaks: [
      { ...refunding('payment_intent={intent}'), given: 'open' },
      { ...refunding('payment_intent={intent}'), given: 'processing' },
      { ...refunding('payment_intent={intent}'), given: 'cancelled' },
    ],
  },
  {
    id: 'refund-disputed',
    calls: [refund],
    parameter: 'payment_intent, charge',
    rule: 'A charge that the bank has charged back cannot be refunded.',
    source: pages.errorCodes,
    check: (request) => {
      const charge = chargeOf(request);
      const disputes = [...request.state.disputes.values()];
      return disputes.some((dispute) => dispute.charge === charge?.id && !dispute.is_charge_refundable);
    },
    error: { code: 'charge_disputed', message: 'The charge has been charged back.' },
    breaks: [{ ...refunding('payment_intent={intent}'), given: 'disputed' }],
  },
  {
    id: 'refund-refunded',
    calls: [refund],
    parameter: 'payment_intent, charge',
    rule: 'A charge that is refunded completely cannot be refunded again.',
    source: pages.createRefund,
    check: (request) => chargeOf(request)?.status === 'succeeded' && left(chargeOf(request)) === 0,
    error: { code: 'charge_already_refunded', message: 'The charge has already been refunded.' },
    breaks: [
      { ...refunding('payment_intent={intent}'), given: 'refunded' },
      { ...refunding('charge={charge}&amount=1'), given: 'refunded' },
    ],
  },
  {
    id: 'refund-amount-left',
    calls: [refund],
    parameter: 'amount',
    rule: 'A refund is at most what is left of the charge.',
    source: pages.createRefund,
    check: (request) =>
      chargeOf(request) !== undefined && Number(request.params.amount ?? 0) > left(chargeOf(request)),
    error: {
      code: null,
      param: 'amount',
      message: 'The refund amount is greater than unrefunded amount on charge.',
    },
    breaks: [refunding('payment_intent={intent}&amount=501'), refunding('charge={charge}&amount=100000')],
  },
  {
    id: 'refund-by-bank-days',
    calls: [refund],
    parameter: 'payment_intent, charge',
    rule: 'A payment by bank can be refunded for 730 days. How Stripe refuses a later refund is unverified.',
    source: pages.payByBank,
    check: (request) => {
      const charge = chargeOf(request);
      const isByBank = charge?.payment_method_details?.type === 'pay_by_bank';
      return isByBank && nowOf(request.state) - charge.created > bankRefundDays * 86_400;
    },
    error: { code: null, message: 'The payment is too old to be refunded.' },
    breaks: [{ ...refunding('payment_intent={intent}'), given: 'paid by bank two years ago' }],
  },
  {
    id: 'refund-cancel',
    calls: [cancelRefund],
    parameter: 'status',
    rule: 'Only a refund that requires an action can be cancelled.',
    source: pages.cancelRefund,
    check: ({ id, state }) => (state.refunds.get(id)?.status ?? 'requires_action') !== 'requires_action',
    error: { code: null, message: 'Only refunds that require an action can be canceled' },
    breaks: [{ call: 'POST /v1/refunds/{refund}/cancel', given: 'refunded' }],
  },
  {
    id: 'evidence-text-length',
    calls: [updateDispute],
    parameter: 'evidence',
    rule: 'A text of the evidence has at most 20,000 characters.',
    source: pages.updateDispute,
    check: (request) => {
      const found = textsOf(request).find(([, text]) => text.length > 20_000);
      return found && `evidence[${found[0]}]`;
    },
    error: { code: null, message: '{param} can have up to 20000 characters.' },
    breaks: [{ ...evidence, send: `evidence[uncategorized_text]=${'e'.repeat(20_001)}` }],
  },
  {
    id: 'evidence-length',
    calls: [updateDispute],
    parameter: 'evidence',
    rule: 'The texts of the evidence have at most 150,000 characters together.',
    source: pages.updateDispute,
    check: (request) => textsOf(request).reduce((sum, [, text]) => sum + text.length, 0) > 150_000,
    error: { code: null, param: 'evidence', message: 'The evidence can have up to 150000 characters.' },
    breaks: [
      {
        ...evidence,
        send: [
          'access_activity_log',
          'cancellation_policy_disclosure',
          'cancellation_rebuttal',
          'duplicate_charge_explanation',
          'product_description',
          'refund_policy_disclosure',
          'refund_refusal_explanation',
          'uncategorized_text',
        ]
          .map((name) => `evidence[${name}]=${'e'.repeat(19_000)}`)
          .join('&'),
      },
    ],
  },
  {
    id: 'dispute-closed',
    calls: [updateDispute, closeDispute],
    parameter: 'status',
    rule: 'A dispute that is decided can be neither answered nor closed.',
    source: 'judged from https://docs.stripe.com/api/disputes/close',
    checkedBy: 'disputes.ts',
    error: { code: null, message: 'This dispute is already closed.' },
    breaks: [
      { call: 'POST /v1/disputes/{dispute}/close', given: 'dispute closed' },
      {
        call: 'POST /v1/disputes/{dispute}',
        given: 'dispute closed',
        send: 'evidence[uncategorized_text]=Ordered',
      },
    ],
  },
];
