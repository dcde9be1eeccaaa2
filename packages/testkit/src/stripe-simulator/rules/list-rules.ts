import { everyCall, lists, pages, type StripeRule } from './stripe-rule.ts';

/** Rules about lists and expansion. */
export const listRules: readonly StripeRule[] = [
  {
    id: 'list-limit',
    calls: lists,
    parameter: 'limit',
    rule: 'A page has between 1 and 100 objects.',
    source: pages.pagination,
    check: ({ params: { limit } }) => typeof limit === 'number' && !(limit >= 1 && limit <= 100),
    error: {
      code: 'parameter_invalid_integer',
      param: 'limit',
      message: 'The limit must be between 1 and 100.',
    },
    breaks: lists.flatMap((call) => [0, 101, -1].map((limit) => ({ call, send: `limit=${limit}` }))),
  },
  {
    id: 'list-cursors',
    calls: lists,
    parameter: 'starting_after, ending_before',
    rule: 'A list starts after an object or ends before one, not both.',
    source: pages.pagination,
    check: ({ params }) => params.starting_after !== undefined && params.ending_before !== undefined,
    error: {
      code: null,
      message: 'Received both starting_after and ending_before parameters. Please pass in only one.',
    },
    breaks: lists.map((call) => ({ call, send: 'starting_after=a_1&ending_before=b_1' })),
  },
  {
    id: 'events-type-and-types',
    calls: ['GET /v1/events'],
    parameter: 'type, types',
    rule: 'Events are listed by one type or by several, not both.',
    source: pages.listEvents,
    check: ({ params }) => params.type !== undefined && params.types !== undefined,
    error: { code: 'parameters_exclusive', message: 'You may pass either type or types, but not both.' },
    breaks: [{ call: 'GET /v1/events', send: 'type=charge.failed&types[0]=charge.failed' }],
  },
  {
    id: 'events-types-count',
    calls: ['GET /v1/events'],
    parameter: 'types',
    rule: 'Events are listed by at most 20 types.',
    source: pages.listEvents,
    check: ({ params: { types } }) => Array.isArray(types) && types.length > 20,
    error: { code: null, param: 'types', message: 'You may pass at most 20 types.' },
    breaks: [
      {
        call: 'GET /v1/events',
        send: Array.from({ length: 21 }, (_, index) => `types[${index}]=charge.failed`).join('&'),
      },
    ],
  },
  {
    id: 'expand-depth',
    calls: [everyCall],
    parameter: 'expand',
    rule: 'An expansion has at most four levels.',
    source: pages.expanding,
    checkedBy: 'expand.ts',
    error: { code: null, message: 'You cannot expand more than 4 levels of a property.' },
    breaks: [
      {
        call: 'GET /v1/payment_intents/{intent}',
        send: 'expand[0]=latest_charge.payment_intent.latest_charge.payment_intent.latest_charge',
      },
      { call: 'GET /v1/charges', send: 'expand[0]=data.payment_intent.latest_charge.payment_intent.review' },
    ],
  },
  {
    id: 'expand-unknown',
    calls: [everyCall],
    parameter: 'expand',
    rule: 'An expansion names a field that can be expanded.',
    source: pages.expanding,
    checkedBy: 'expand.ts',
    error: { code: null, message: 'This property cannot be expanded ({path}).' },
    breaks: [
      { call: 'GET /v1/payment_intents/{intent}', send: 'expand[0]=amount' },
      { call: 'GET /v1/payment_intents/{intent}', send: 'expand[0]=latest_charge.nothing' },
      { call: 'GET /v1/balance', send: 'expand[0]=available' },
    ],
  },
  {
    id: 'expand-data',
    calls: lists,
    parameter: 'expand',
    rule: 'An expansion in a list starts with data, and elsewhere it does not.',
    source: pages.expanding,
    checkedBy: 'expand.ts',
    error: { code: null, message: 'This property cannot be expanded ({path}).' },
    breaks: [
      { call: 'GET /v1/payment_intents', send: 'expand[0]=latest_charge' },
      { call: 'GET /v1/balance_transactions', send: 'expand[0]=source' },
      { call: 'GET /v1/payment_intents/{intent}', send: 'expand[0]=data.latest_charge' },
    ],
  },
];
