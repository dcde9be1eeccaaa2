import type { StripeIntent } from '../stripe-state.ts';
import {
  type BreakingRequest,
  cancel,
  confirm,
  confirming,
  create,
  creating,
  pages,
  type RuleRequest,
  type StripeRule,
  update,
  updating,
} from './stripe-rule.ts';

/** The minimum charges of the currencies that a test uses, in their smallest unit. */
const minimums: Record<string, number> = { gbp: 30, usd: 50, eur: 50 };

const currencies: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').map((currency) => currency.toLowerCase()),
);

const intentOf = ({ id, state }: RuleRequest): StripeIntent | undefined => state.intents.get(id);

const amountIn = (request: RuleRequest) => {
  const currency = String(request.params.currency ?? intentOf(request)?.currency ?? '');
  const { amount } = request.params;
  return { amount: typeof amount === 'number' ? amount : undefined, minimum: minimums[currency] ?? 50 };
};

/** The types that a request allows, or that its intent has. */
const typesOf = (request: RuleRequest) =>
  (request.params.allowed_payment_method_types as string[] | undefined) ??
  intentOf(request)?.payment_method_types ?? ['card'];

const isIn =
  (...statuses: StripeIntent['status'][]) =>
  (request: RuleRequest) => {
    const intent = intentOf(request);
    return intent !== undefined && statuses.includes(intent.status);
  };

/** Whether a request confirms an intent, at its creation or later. */
const confirms = ({ call, params }: RuleRequest) => call === confirm || params.confirm === true;

/** Only `allow_redirects: 'never'`, which cannot go with a list of allowed types, excludes pages of banks. */
const canRedirect = (request: RuleRequest) => {
  const chosen = (request.params.automatic_payment_methods ?? intentOf(request)?.automatic_payment_methods) as
    | { allow_redirects?: string }
    | null
    | undefined;
  return chosen?.allow_redirects !== 'never';
};

const unexpectedState = {
  code: 'payment_intent_unexpected_state',
  message: "This PaymentIntent's status is {status}, which does not allow this.",
};

const returnUrl = 'return_url=https%3A%2F%2Ffirm.example%2Fpayment';
const paying = `payment_method=pm_card_visa&${returnUrl}`;
const cancelling: BreakingRequest = { call: 'POST /v1/payment_intents/{intent}/cancel' };

/** Rules of parameters that cannot go with a list of allowed types. */
const exclusiveRules: StripeRule[] = [
  ['excluded_payment_method_types', 'excluded_payment_method_types[0]=affirm', [create, update, confirm]],
  ['automatic_payment_methods', 'automatic_payment_methods[enabled]=true', [create]],
  ['payment_method_configuration', 'payment_method_configuration=pmc_1', [create, update]],
].map(([parameter, send, calls]) => ({
  id: `allowed-types-and-${(parameter as string).replaceAll('_', '-')}`,
  calls: calls as string[],
  parameter: parameter as string,
  rule: `The list of allowed types cannot go with ${parameter}.`,
  source: pages.allowedTypes,
  check: ({ params }) => params.allowed_payment_method_types !== undefined && (parameter as string) in params,
  error: {
    code: 'parameters_exclusive',
    param: parameter as string,
    message: `allowed_payment_method_types is mutually exclusive with ${parameter}.`,
  },
  breaks: (calls as string[]).map((call) => {
    const both = `allowed_payment_method_types[0]=card&${send}`;
    if (call === create) return creating(both);
    return call === update ? updating(both) : confirming(`${paying}&${both}`);
  }),
}));

/** Rules of parameters that an intent only has when its creation confirms it. */
const onlyWithConfirm: StripeRule[] = [
  ['return_url', returnUrl],
  ['mandate', 'mandate=mandate_1'],
  ['mandate_data', 'mandate_data[customer_acceptance][type]=offline'],
  ['off_session', 'off_session=true'],
  ['error_on_requires_action', 'error_on_requires_action=true'],
].map(([parameter = '', send = '']) => ({
  id: `${parameter.replaceAll('_', '-')}-without-confirm`,
  calls: [create],
  parameter,
  rule: `${parameter} can only be used with confirm=true.`,
  source: pages.createIntent,
  check: ({ params }) => params.confirm !== true && parameter in params,
  error: { code: null, param: parameter, message: `${parameter} can only be used with confirm=true.` },
  breaks: [creating(send), creating(`confirm=false&${send}`)],
}));

/** Rules about PaymentIntents. */
export const intentRules: readonly StripeRule[] = [
  {
    id: 'amount-positive',
    calls: [create, update],
    parameter: 'amount',
    rule: 'An amount is positive.',
    source: pages.createIntent,
    check: (request) => (amountIn(request).amount ?? 1) < 1,
    error: {
      code: 'parameter_invalid_integer',
      param: 'amount',
      message: 'This value must be greater than or equal to 1.',
    },
    breaks: [
      { call: create, send: 'amount=0&currency=gbp' },
      { call: create, send: 'amount=-500&currency=gbp' },
      updating('amount=0'),
    ],
  },
  {
    id: 'amount-minimum',
    calls: [create, update],
    parameter: 'amount',
    rule: 'An amount is at least the minimum of its currency: 30 pence in pounds.',
    source: pages.currencies,
    check: (request) => {
      const { amount, minimum } = amountIn(request);
      return amount !== undefined && amount < minimum;
    },
    error: {
      code: 'amount_too_small',
      param: 'amount',
      message: 'Amount must be at least the minimum charge of its currency.',
    },
    breaks: [
      { call: create, send: 'amount=29&currency=gbp' },
      { call: create, send: 'amount=49&currency=eur' },
      updating('amount=29'),
    ],
  },
  {
    id: 'amount-maximum',
    calls: [create, update],
    parameter: 'amount',
    rule: 'An amount has at most eight digits.',
    source: pages.createIntent,
    check: (request) => (amountIn(request).amount ?? 0) > 99_999_999,
    error: { code: 'amount_too_large', param: 'amount', message: 'Amount must be no more than 99999999.' },
    breaks: [{ call: create, send: 'amount=100000000&currency=gbp' }, updating('amount=100000000')],
  },
  {
    id: 'currency-lower-case',
    calls: [create, update],
    parameter: 'currency',
    rule: 'A currency is three letters in lower case.',
    source: pages.currencies,
    check: ({ params: { currency } }) => currency !== undefined && !/^[a-z]{3}$/.test(String(currency)),
    error: { code: null, param: 'currency', message: 'Invalid currency: use three letters in lower case.' },
    breaks: [
      { call: create, send: 'amount=500&currency=GBP' },
      { call: create, send: 'amount=500&currency=pounds' },
      updating('currency=EUR'),
    ],
  },
  {
    id: 'currency-supported',
    calls: [create, update],
    parameter: 'currency',
    rule: 'Stripe supports the currency.',
    source: pages.currencies,
    check: ({ params: { currency } }) => currency !== undefined && !currencies.has(String(currency)),
    error: { code: null, param: 'currency', message: 'Invalid currency.' },
    breaks: [{ call: create, send: 'amount=500&currency=qqq' }, updating('currency=qqq')],
  },
  ...exclusiveRules,
  ...onlyWithConfirm,
  {
    id: 'receipt-email',
    calls: [create, update, confirm],
    parameter: 'receipt_email',
    rule: 'A receipt is sent to a valid email address.',
    source: pages.errorCodes,
    check: ({ params: { receipt_email: email } }) =>
      typeof email === 'string' && email !== '' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email),
    error: { code: 'email_invalid', param: 'receipt_email', message: 'Invalid email address.' },
    breaks: [
      creating('receipt_email=client'),
      updating('receipt_email=client%40'),
      confirming(`${paying}&receipt_email=client`),
    ],
  },
  {
    id: 'statement-descriptor-for-cards',
    calls: [create, update],
    parameter: 'statement_descriptor',
    rule: 'A card payment has a suffix, and no statement descriptor.',
    source: pages.createIntent,
    check: (request) =>
      request.params.statement_descriptor !== undefined && typesOf(request).includes('card'),
    error: {
      code: null,
      param: 'statement_descriptor',
      message: 'statement_descriptor is not supported for cards. Use statement_descriptor_suffix.',
    },
    breaks: [
      creating('statement_descriptor=ALDER&allowed_payment_method_types[0]=card'),
      updating('statement_descriptor=ALDER'),
    ],
  },
  ...['statement_descriptor', 'statement_descriptor_suffix'].flatMap(descriptorRules),
  {
    id: 'statement-descriptor-suffix-length',
    calls: [create, update],
    parameter: 'statement_descriptor_suffix',
    rule: 'The account’s prefix, an asterisk, a space and the suffix have at most 22 characters.',
    source: pages.descriptors,
    check: ({ params, state }) => {
      const prefix = state.account.settings?.card_payments.statement_descriptor_prefix;
      const suffix = params.statement_descriptor_suffix;
      return Boolean(prefix) && typeof suffix === 'string' && `${prefix}* ${suffix}`.length > 22;
    },
    error: {
      code: null,
      param: 'statement_descriptor_suffix',
      message: 'The statement descriptor has more than 22 characters with its prefix.',
    },
    breaks: [
      creating('statement_descriptor_suffix=KT-2026-004211'),
      updating('statement_descriptor_suffix=KT-2026-004211'),
    ],
  },
  {
    id: 'confirm-succeeded',
    calls: [confirm],
    parameter: 'status',
    rule: 'A paid intent cannot be confirmed again.',
    source: pages.errorCodes,
    check: isIn('succeeded'),
    error: unexpectedState,
    breaks: [{ ...confirming(paying), given: 'succeeded' }],
  },
  {
    id: 'confirm-processing',
    calls: [confirm],
    parameter: 'status',
    rule: 'An intent whose payment is on its way cannot be confirmed.',
    source: pages.errorCodes,
    check: isIn('processing', 'requires_capture'),
    error: unexpectedState,
    breaks: [{ ...confirming(paying), given: 'processing' }],
  },
  {
    id: 'confirm-cancelled',
    calls: [confirm],
    parameter: 'status',
    rule: 'A cancelled intent cannot be confirmed.',
    source: pages.cancelIntent,
    check: isIn('canceled'),
    error: unexpectedState,
    breaks: [{ ...confirming(paying), given: 'cancelled' }],
  },
  {
    id: 'cancel-succeeded',
    calls: [cancel],
    parameter: 'status',
    rule: 'A paid intent cannot be cancelled.',
    source: pages.cancelIntent,
    check: isIn('succeeded'),
    error: unexpectedState,
    breaks: [{ ...cancelling, given: 'succeeded' }],
  },
  {
    id: 'cancel-processing',
    calls: [cancel],
    parameter: 'status',
    rule: 'An intent whose payment is on its way can be cancelled only in rare cases, which are not simulated.',
    source: pages.cancelIntent,
    check: isIn('processing'),
    error: unexpectedState,
    breaks: [{ ...cancelling, given: 'processing' }],
  },
  {
    id: 'cancel-cancelled',
    calls: [cancel],
    parameter: 'status',
    rule: 'A cancelled intent cannot be cancelled again.',
    source: pages.cancelIntent,
    check: isIn('canceled'),
    error: unexpectedState,
    breaks: [{ ...cancelling, given: 'cancelled' }],
  },
  {
    id: 'update-cancelled',
    calls: [update],
    parameter: 'status',
    rule: 'A cancelled intent cannot be changed: any operation on it fails.',
    source: pages.cancelIntent,
    check: isIn('canceled'),
    error: unexpectedState,
    breaks: [
      { ...updating('amount=600'), given: 'cancelled' },
      { ...updating('metadata[client]=1'), given: 'cancelled' },
    ],
  },
  {
    id: 'update-amount-after-payment',
    calls: [update],
    parameter: 'amount, currency, allowed_payment_method_types',
    rule: 'The terms of a payment cannot be changed once it is made or on its way.',
    source: 'judged from https://docs.stripe.com/api/payment_intents/update',
    check: (request) =>
      isIn('succeeded', 'processing')(request) &&
      ['amount', 'currency', 'allowed_payment_method_types'].find((name) => name in request.params),
    error: unexpectedState,
    breaks: [
      { ...updating('amount=600'), given: 'succeeded' },
      { ...updating('currency=eur'), given: 'succeeded' },
      { ...updating('amount=600'), given: 'processing' },
    ],
  },
  {
    id: 'confirm-without-method',
    calls: [create, confirm],
    parameter: 'payment_method',
    rule: 'An intent is confirmed with a payment method.',
    source: 'judged from https://docs.stripe.com/api/payment_intents/confirm',
    check: (request) =>
      confirms(request) &&
      !intentOf(request)?.payment_method &&
      !['payment_method', 'payment_method_data', 'confirmation_token'].some((name) => name in request.params),
    error: {
      code: 'payment_intent_unexpected_state',
      message: 'You cannot confirm this PaymentIntent because it is missing a payment method.',
    },
    breaks: [confirming(returnUrl), creating(`confirm=true&${returnUrl}`)],
  },
  {
    id: 'confirm-without-return-url',
    calls: [create, confirm],
    parameter: 'return_url',
    rule: 'A confirmation has a return URL, unless the intent excludes redirects or the payer is absent.',
    source: pages.automaticMethods,
    check: (request) =>
      confirms(request) &&
      canRedirect(request) &&
      request.params.return_url === undefined &&
      request.params.off_session !== true,
    error: {
      code: null,
      message:
        'A `return_url` must be specified because this PaymentIntent may require a full page redirect to succeed.',
    },
    breaks: [
      confirming('payment_method=pm_card_visa'),
      { ...confirming('payment_method=pm_sim_pay_by_bank'), given: 'open for banks' },
      creating('confirm=true&payment_method=pm_card_visa'),
      creating('confirm=true&payment_method=pm_card_visa&allowed_payment_method_types[0]=card'),
    ],
  },
  {
    id: 'return-url-valid',
    calls: [create, confirm],
    parameter: 'return_url',
    rule: 'A return URL is a URL.',
    source: pages.errorCodes,
    check: ({ params: { return_url: url } }) => typeof url === 'string' && !URL.canParse(url),
    error: { code: 'url_invalid', param: 'return_url', message: 'Not a valid URL.' },
    breaks: [
      confirming('payment_method=pm_card_visa&return_url=payment'),
      creating('confirm=true&payment_method=pm_card_visa&return_url=payment'),
    ],
  },
  {
    id: 'confirm-error-on-requires-action',
    calls: [create, confirm],
    parameter: 'error_on_requires_action',
    rule: 'error_on_requires_action cannot go with methods that are chosen automatically.',
    source: pages.automaticMethods,
    check: (request) => confirms(request) && request.params.error_on_requires_action !== undefined,
    error: {
      code: null,
      param: 'error_on_requires_action',
      message: 'error_on_requires_action cannot be used with automatic payment methods.',
    },
    breaks: [
      confirming(`${paying}&error_on_requires_action=true`),
      creating(`confirm=true&${paying}&error_on_requires_action=true`),
    ],
  },
  {
    id: 'confirm-incompatible-method',
    calls: [confirm],
    parameter: 'payment_method',
    rule: 'The payment method is of a type that the intent has.',
    source: pages.errorCodes,
    checkedBy: 'intents.ts',
    error: {
      code: 'payment_intent_incompatible_payment_method',
      param: 'payment_method',
      message: 'This PaymentIntent does not accept {type}.',
    },
    breaks: [
      confirming(`payment_method=pm_sim_pay_by_bank&${returnUrl}`),
      { ...confirming(paying), given: 'open for banks' },
    ],
  },
];

/** Rules of the text on a statement. The refusals' codes are unverified. */
function descriptorRules(parameter: string): StripeRule[] {
  const word = parameter === 'statement_descriptor' ? 'descriptor' : 'suffix';
  const bank = parameter === 'statement_descriptor' ? '&allowed_payment_method_types[0]=pay_by_bank' : '';
  const error = { code: null, param: parameter, message: `Invalid ${parameter}.` };
  const about = { calls: [create, update], parameter, source: pages.descriptors, error };
  const broken =
    (isWrong: (text: string) => boolean) =>
    ({ params }: RuleRequest) =>
      typeof params[parameter] === 'string' && isWrong(params[parameter]);
  const breaks = (...texts: string[]) => texts.map((text) => creating(`${parameter}=${text}${bank}`));
  return [
    {
      ...about,
      id: `statement-${word}-latin`,
      rule: `A statement ${word} has Latin characters only.`,
      check: broken((text) => !/^[\x20-\x7e]*$/.test(text)),
      breaks: breaks('%CE%91BC12', 'AB%E2%82%ACC1'),
    },
    {
      ...about,
      id: `statement-${word}-letter`,
      rule: `A statement ${word} has a letter.`,
      check: broken((text) => !/[a-z]/i.test(text)),
      breaks: breaks('12345', '2026-0042'),
    },
    {
      ...about,
      id: `statement-${word}-characters`,
      rule: `A statement ${word} has none of the characters < > \\ ' " *.`,
      check: broken((text) => /[<>\\'"*]/.test(text)),
      breaks: breaks('AB%3CC1', 'AB%3EC1', 'AB%5CC1', 'O%27BRIEN', 'AB%22C1', 'AB*C1'),
    },
  ];
}
