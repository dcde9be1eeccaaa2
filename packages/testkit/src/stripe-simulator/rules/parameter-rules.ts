import {
  confirm,
  confirming,
  create,
  creating,
  everyCall,
  lists,
  pages,
  type RuleRequest,
  refunding,
  type StripeRule,
  update,
  updating,
} from './stripe-rule.ts';

/** The parameter that differs from Stripe's description in this way, as Stripe writes it: `metadata[a]`. */
const differing =
  (pattern: RegExp) =>
  ({ differences }: RuleRequest): string | undefined => {
    const found = differences.find((difference) => pattern.test(difference));
    return found && nameOf(found.slice(0, found.indexOf(':')));
  };

const nameOf = (path: string) => path.replaceAll(/\.(\w+)/g, '[$1]');

/** Every value, with its name as Stripe writes it. */
function valuesIn(params: unknown, name = ''): [string, unknown][] {
  if (typeof params !== 'object' || params === null) return [[name, params]];
  return Object.entries(params).flatMap(([key, value]) => valuesIn(value, name ? `${name}[${key}]` : key));
}

const emptyText = ({ params }: RuleRequest) =>
  Object.keys(params).find((name) => params[name] === '' && !removable.has(name));

/** The parameters of the simulated calls that an empty value removes. */
const removable = new Set([
  'metadata',
  'receipt_email',
  'excluded_payment_method_types',
  'setup_future_usage',
  'shipping',
]);

/** The lengths of texts in Stripe's OpenAPI description; 5,000 for all others. */
const lengths: Record<string, number> = {
  description: 1000,
  statement_descriptor: 22,
  statement_descriptor_suffix: 22,
};

const longText = ({ params }: RuleRequest) =>
  valuesIn(params).find(
    ([name, value]) =>
      !/^(metadata|evidence)\b/.test(name) &&
      typeof value === 'string' &&
      value.length > (lengths[name] ?? 5000),
  )?.[0];

/** Rules about the form of parameters. Those of the description come after the ones that explain more. */
export const parameterRules: readonly StripeRule[] = [
  {
    id: 'payment-method-types-removed',
    calls: [create, update, confirm],
    parameter: 'payment_method_types',
    rule: 'payment_method_types can no longer be set.',
    source: pages.removedTypes,
    check: ({ params }) => 'payment_method_types' in params,
    error: {
      code: 'payment_method_types_no_longer_supported',
      param: 'payment_method_types',
      message: 'payment_method_types is no longer supported. Use allowed_payment_method_types.',
    },
    breaks: [
      creating('payment_method_types[0]=card'),
      updating('payment_method_types[0]=card'),
      confirming('payment_method_types[0]=card'),
    ],
  },
  {
    id: 'parameter-missing',
    calls: [create],
    parameter: 'amount, currency',
    rule: 'Required parameters are there.',
    source: pages.createIntent,
    check: differing(/: missing$/),
    error: { code: 'parameter_missing', message: 'Missing required param: {param}.' },
    breaks: [
      { call: create, send: 'currency=gbp' },
      { call: create, send: 'amount=500' },
      creating('automatic_payment_methods[allow_redirects]=never'),
    ],
  },
  {
    id: 'parameter-empty',
    calls: [everyCall],
    parameter: 'every text',
    rule: 'A parameter that cannot be unset is not empty.',
    source: pages.errorCodes,
    check: emptyText,
    error: { code: 'parameter_invalid_empty', message: 'You passed an empty string for ‘{param}’.' },
    breaks: [
      creating('description='),
      { call: create, send: 'amount=&currency=gbp' },
      updating('description='),
      refunding('payment_intent={intent}&reason='),
      confirming('payment_method=pm_card_visa&return_url='),
    ],
  },
  {
    id: 'parameter-unknown',
    calls: [everyCall],
    parameter: 'every parameter',
    rule: 'Stripe knows the parameter for this call, also within others.',
    source: pages.errorCodes,
    check: differing(/: unknown$/),
    error: { code: 'parameter_unknown', message: 'Received unknown parameter: {param}' },
    breaks: [
      creating('urgent=true'),
      creating('automatic_payment_methods[enabled]=true&automatic_payment_methods[cards]=all'),
      updating('confirm=true'),
      confirming('amount=500'),
      { call: 'POST /v1/payment_intents/{intent}/cancel', send: 'reason=duplicate' },
      refunding('payment_intent={intent}&description=Refund'),
      { call: 'GET /v1/balance', send: 'currency=gbp' },
      ...lists.map((call) => ({ call, send: 'offset=1' })),
    ],
  },
  {
    id: 'integer',
    calls: [everyCall],
    parameter: 'amount, limit, created',
    rule: 'Amounts, limits and times are integers.',
    source: pages.errorCodes,
    check: (request) =>
      differing(/expected (null or )?number$/)(request) ??
      valuesIn(request.params).find(
        ([, value]) => typeof value === 'number' && !Number.isInteger(value),
      )?.[0],
    error: { code: 'parameter_invalid_integer', message: 'Invalid integer: {param}' },
    breaks: [
      { call: create, send: 'amount=ten&currency=gbp' },
      { call: create, send: 'amount=10.5&currency=gbp' },
      updating('amount=1e3'),
      refunding('payment_intent={intent}&amount=0.5'),
      ...lists.map((call) => ({ call, send: 'limit=all' })),
      { call: 'GET /v1/payment_intents', send: 'created[gte]=yesterday' },
      { call: 'GET /v1/refunds', send: 'created[gte]=1.5' },
    ],
  },
  {
    id: 'boolean',
    calls: [everyCall],
    parameter: 'confirm, automatic_payment_methods[enabled], submit',
    rule: 'A boolean is true or false.',
    source: pages.openApi,
    check: differing(/expected (null or )?boolean$/),
    error: { code: null, message: 'Invalid boolean: {param}' },
    breaks: [
      creating('confirm=yes'),
      creating('automatic_payment_methods[enabled]=1'),
      confirming('use_stripe_sdk=on'),
      { call: 'POST /v1/disputes/{dispute}', given: 'disputed', send: 'submit=no' },
    ],
  },
  {
    id: 'enum',
    calls: [everyCall],
    parameter: 'every parameter with a list of values',
    rule: 'A parameter with a list of values has one of them.',
    source: pages.openApi,
    check: differing(/expected one of /),
    error: { code: null, message: 'Invalid {param}: must be one of the listed values' },
    breaks: [
      creating('capture_method=later'),
      creating('confirmation_method=none'),
      creating('allowed_payment_method_types[0]=cheque'),
      creating(
        'automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=sometimes',
      ),
      creating('setup_future_usage=always'),
      { call: 'POST /v1/payment_intents/{intent}/cancel', send: 'cancellation_reason=expired' },
      refunding('payment_intent={intent}&reason=regret'),
      { call: 'POST /v1/disputes/{dispute}', given: 'disputed', send: 'intended_submission_method=post' },
    ],
  },
  {
    id: 'array',
    calls: [everyCall],
    parameter: 'expand, allowed_payment_method_types, types',
    rule: 'A list is sent as a list.',
    source: pages.openApi,
    check: differing(/expected a list$/),
    error: { code: null, message: 'Invalid array' },
    breaks: [
      creating('allowed_payment_method_types=card'),
      creating('expand=latest_charge'),
      { call: 'GET /v1/events', send: 'types=charge.failed' },
    ],
  },
  {
    id: 'hash',
    calls: [everyCall],
    parameter: 'metadata, automatic_payment_methods, evidence',
    rule: 'A hash is sent with the names of its values.',
    source: pages.openApi,
    check: differing(/, expected /),
    error: { code: null, message: 'Invalid value for {param}' },
    breaks: [
      creating('automatic_payment_methods=true'),
      creating('metadata=client'),
      creating('metadata[client][id]=1'),
      creating('description[text]=Search'),
      { call: 'POST /v1/disputes/{dispute}', given: 'disputed', send: 'evidence=none' },
    ],
  },
  {
    id: 'text-length',
    calls: [everyCall],
    parameter: 'ids, expand, description, statement_descriptor, statement_descriptor_suffix',
    rule: 'A description has at most 1,000 characters, a descriptor 22, and any other text 5,000.',
    source: pages.openApi,
    check: longText,
    error: { code: null, message: 'Invalid string: {param} is too long' },
    breaks: [
      creating(`description=${'d'.repeat(1001)}`),
      updating(`description=${'d'.repeat(1001)}`),
      creating(`statement_descriptor=${'D'.repeat(23)}&allowed_payment_method_types[0]=pay_by_bank`),
      creating(`statement_descriptor_suffix=${'S'.repeat(23)}`),
      creating(`payment_method=${'p'.repeat(5001)}`),
      creating(`expand[0]=${'e'.repeat(5001)}`),
      refunding(`payment_intent=${'p'.repeat(5001)}`),
      ...lists.map((call) => ({ call, send: `starting_after=${'s'.repeat(5001)}` })),
    ],
  },
];
