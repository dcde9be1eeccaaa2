import { describedVersion } from '../description/assert-described.ts';
import { confirm, create, creating, everyCall, pages, retrieve, type StripeRule } from './stripe-rule.ts';

/** The calls that a browser makes with a publishable key. */
const browserCalls = [retrieve, confirm];

const balance = 'GET /v1/balance';

/** Rules about keys and headers. */
export const headerRules: readonly StripeRule[] = [
  {
    id: 'key-missing',
    calls: [everyCall],
    parameter: 'Authorization',
    rule: 'A request needs an API key.',
    source: pages.authentication,
    headers: ({ key }) => key === '',
    error: { status: 401, code: null, message: 'You did not provide an API key.' },
    breaks: [{ call: balance, key: '' }],
  },
  {
    id: 'key-publishable',
    calls: [everyCall],
    parameter: 'Authorization',
    rule: 'A publishable key only authorises calls that a browser makes.',
    source: pages.errorCodes,
    headers: ({ key, call }) => key.startsWith('pk_') && !browserCalls.includes(call),
    error: {
      status: 401,
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
    },
    breaks: [
      { call: balance, key: 'pk_test_1' },
      { ...creating(''), key: 'pk_test_1' },
      { call: 'POST /v1/payment_intents/{intent}/cancel', key: 'pk_test_1' },
    ],
  },
  {
    id: 'key-malformed',
    calls: [everyCall],
    parameter: 'Authorization',
    rule: 'A secret key starts with sk_ or rk_ and its mode.',
    source: pages.authentication,
    headers: ({ key }) => !/^(sk|rk|pk)_(test|live)_\w+$/.test(key),
    error: { status: 401, code: null, message: 'Invalid API Key provided.' },
    breaks: [
      { call: balance, key: 'whsec_1' },
      { call: balance, key: 'sk_1' },
    ],
  },
  {
    id: 'key-unknown',
    calls: [everyCall],
    parameter: 'Authorization',
    rule: 'A key that was deleted or rolled, or is of no account, is refused.',
    source: pages.keys,
    headers: ({ isKnownKey }) => !isKnownKey,
    error: { status: 401, code: null, message: 'Invalid API Key provided.' },
    breaks: [
      { call: balance, key: 'rk_test_0123456789abcdef01234567' },
      { call: balance, key: 'sk_live_1' },
    ],
  },
  {
    id: 'version-unknown',
    calls: [everyCall],
    parameter: 'Stripe-Version',
    rule: 'The version of the API exists.',
    source: 'judged from https://docs.stripe.com/api/versioning',
    headers: ({ version }) =>
      version !== undefined &&
      (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version) ||
        version.slice(0, 10) > describedVersion.slice(0, 10)),
    error: { code: null, message: 'Invalid Stripe API version.' },
    breaks: [
      { call: balance, headers: { 'stripe-version': 'endive' } },
      { call: balance, headers: { 'stripe-version': '2199-01-01.endive' } },
    ],
  },
  {
    id: 'idempotency-key-length',
    calls: [everyCall],
    parameter: 'Idempotency-Key',
    rule: 'An idempotency key has at most 255 characters.',
    source: pages.idempotency,
    headers: ({ idempotencyKey }) => (idempotencyKey?.length ?? 0) > 255,
    error: { code: null, message: 'Idempotency keys can have at most 255 characters.' },
    breaks: [{ ...creating(''), headers: { 'idempotency-key': 'k'.repeat(256) } }],
  },
  {
    id: 'idempotency-key-reuse',
    calls: [everyCall],
    parameter: 'Idempotency-Key',
    rule: 'An idempotency key repeats only the same call with the same parameters.',
    source: pages.idempotency,
    checkedBy: 'idempotency-store.ts',
    error: {
      type: 'idempotency_error',
      code: null,
      message: 'Keys for idempotent requests can only be used with the same parameters.',
    },
    breaks: [
      {
        ...creating(''),
        headers: { 'idempotency-key': 'k1' },
        after: { call: create, send: 'amount=600&currency=gbp' },
      },
      {
        call: 'POST /v1/payment_intents/{intent}/cancel',
        headers: { 'idempotency-key': 'k1' },
        after: { call: create, send: 'amount=600&currency=gbp' },
      },
    ],
  },
  {
    id: 'idempotency-key-in-use',
    calls: [everyCall],
    parameter: 'Idempotency-Key',
    rule: 'A request waits until the one with the same idempotency key is finished.',
    source: pages.errors,
    checkedBy: 'idempotency-store.ts',
    error: {
      status: 409,
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: 'Another request with this key is under way.',
    },
    breaks: [{ ...creating(''), headers: { 'idempotency-key': 'k1' }, after: 'at once' }],
  },
  {
    id: 'url-unknown',
    calls: [everyCall],
    parameter: 'path',
    rule: 'The method and the path exist.',
    source: pages.errors,
    checkedBy: 'answer-call.ts',
    error: { status: 404, code: null, message: 'Unrecognized request URL ({call}).' },
    breaks: [{ call: 'GET /v1/payment_intent' }, { call: 'PUT /v1/payment_intents/{intent}' }],
  },
  {
    id: 'client-secret-missing',
    calls: browserCalls,
    parameter: 'client_secret',
    rule: 'A browser names the client secret of the intent.',
    source: 'judged from https://docs.stripe.com/api/payment_intents/retrieve',
    check: ({ clientSecret }) => clientSecret === null,
    error: {
      code: 'parameter_missing',
      param: 'client_secret',
      message: 'Missing required param: client_secret.',
    },
    breaks: [
      { call: 'GET /v1/payment_intents/{intent}', key: 'pk_test_1' },
      { call: 'POST /v1/payment_intents/{intent}/confirm', key: 'pk_test_1' },
    ],
  },
  {
    id: 'client-secret-wrong',
    calls: browserCalls,
    parameter: 'client_secret',
    rule: 'The client secret belongs to the intent.',
    source: 'judged from https://docs.stripe.com/api/payment_intents/retrieve',
    check: ({ clientSecret, id, state }) =>
      typeof clientSecret === 'string' && clientSecret !== state.intents.get(id)?.client_secret,
    error: {
      code: 'payment_intent_invalid_parameter',
      param: 'client_secret',
      message:
        'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
    },
    breaks: [
      { call: 'GET /v1/payment_intents/{intent}', send: 'client_secret={intent}_secret_1', key: 'pk_test_1' },
    ],
  },
  {
    id: 'object-missing',
    calls: [everyCall],
    parameter: 'id',
    rule: 'An object that a request names exists in the account and in the mode of the key.',
    source: pages.keys,
    checkedBy: 'stripe-api-error.ts',
    error: { status: 404, code: 'resource_missing', message: 'No such {kind}.' },
    breaks: [
      ...[
        'payment_intents',
        'charges',
        'refunds',
        'disputes',
        'payouts',
        'reviews',
        'balance_transactions',
      ].map((kind) => ({ call: `GET /v1/${kind}/no_1` })),
      { call: 'GET /v1/radar/early_fraud_warnings/issfr_1' },
      { call: 'GET /v1/events/evt_1' },
      { call: 'GET /v1/payment_intents/{intent}', isLive: true },
      { call: 'POST /v1/payment_intents/pi_1/cancel' },
      { call: 'POST /v1/payment_intents/pi_1', send: 'metadata[client]=1' },
      { call: 'POST /v1/refunds', send: 'payment_intent=pi_1' },
      { call: 'POST /v1/refunds', send: 'charge=ch_1' },
      { call: 'GET /v1/refunds', send: 'starting_after=re_1' },
      { call: 'GET /v1/refunds', send: 'ending_before=re_1' },
      { call: 'GET /v1/balance_transactions', send: 'payout=po_1' },
      {
        call: 'POST /v1/payment_intents/{intent}/confirm',
        send: 'payment_method=pm_1&return_url=https%3A%2F%2Ffirm.example',
      },
    ],
  },
];
