import type { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';

type List = Exclude<keyof typeof fixtureFeed, 'format' | 'as_of' | 'firm'>;

/** A list, a change of its record in the fixture, and the place and reason of the expected rejection. */
export type RecordRule = readonly [List, object, place: string, reason: RegExp];

/** Rules that concern a password or a file in the folder of a feed, which are not sent over HTTP with a record. */
const importOnlyRules: readonly RecordRule[] = [
  ['clients', { password: 'short' }, '/clients/0/password', /at least 15 characters/],
  ['documents', { file: 'note.txt' }, '/documents/0/file', /must be a PDF, JPEG, PNG or WebP/],
  ['documents', { file: 'empty.pdf' }, '/documents/0/file', /is empty/],
  [
    'documents',
    { file: 'locked.pdf', signing: 'simple' },
    '/documents/0/file',
    /^cannot be signed: it is locked$/,
  ],
  ['documents', { file: 'gone.pdf' }, '/documents/0/file', /does not exist/],
  ['documents', { file: '../secret.pdf' }, '/documents/0/file', /inside the feed’s folder/],
  ['documents', { file: 'link.pdf' }, '/documents/0/file', /inside the feed’s folder/],
  ['documents', { file: '/etc/passwd' }, '/documents/0/file', /relative/],
];

/** The rules of the case feed for single records, for every way of sending them. */
export const sharedRecordRules: readonly RecordRule[] = [
  ['searches', { price: { net: -1, vat_rate: 20 } }, '/searches/0/price/net', /must be 0 or more/],
  [
    'searches',
    { price: { net: 100, vat_rate: 20, vat: 20, gross: 121 } },
    '/searches/0/price/gross',
    /sum of net and VAT/,
  ],
  ['searches', { status: 'sent' }, '/searches/0/status', /must be one of awaiting_payment/],
  ['searches', { colour: 'red' }, '/searches/0/colour', /not a known field/],
  ['searches', { matter: 'M9' }, '/searches/0/matter', /refers to "M9", which does not exist/],
  ['searches', { name: 'a\u0000b' }, '/searches/0/name', /NUL character or a lone surrogate/],
  ['searches', { name: 'A\u202eB' }, '/searches/0/name', /changes the direction of text/],
  ['history', { actor: 'Rhian\u0007' }, '/history/0/actor', /control character/],
  ['searches', { name: '\ud800' }, '/searches/0/name', /NUL character or a lone surrogate/],
  [
    'matters',
    { milestones: [{ key: 'lunch', status: 'done' }] },
    '/matters/0/milestones/0/key',
    /not a milestone of a purchase/,
  ],
  [
    'matters',
    { target_exchange_on: '2026-02-30' },
    '/matters/0/target_exchange_on',
    /must be a day from 1900 to 2199/,
  ],
  [
    'matters',
    { target_exchange_on: '0026-11-27' },
    '/matters/0/target_exchange_on',
    /must be a day from 1900 to 2199/,
  ],
  [
    'matters',
    { target_completion_on: '2200-01-01' },
    '/matters/0/target_completion_on',
    /must be a day from 1900 to 2199/,
  ],
  [
    'matters',
    { target_exchange_on: '27/11/26' },
    '/matters/0/target_exchange_on',
    /^must be a day .*: 27\/11\/26 could be 2026-11-27 or 2027-11-26$/,
  ],
  [
    'matters',
    { target_completion_on: '2126-12-18' },
    '/matters/0/target_completion_on',
    /^18 December 2126 is more than 10 years ahead. Did you mean 18 December 2026\?$/,
  ],
  [
    'matters',
    { target_exchange_on: '2016-12-18' },
    '/matters/0/target_exchange_on',
    /^18 December 2016 is more than 2 years ago. Did you mean/,
  ],
  [
    'matters',
    { exchanged_on: '2062-11-20' },
    '/matters/0/exchanged_on',
    /^20 November 2062 is in the future. Did you mean 20 November 2026\?$/,
  ],
  [
    'matters',
    { milestones: [{ key: 'instructed', status: 'current', next_update_by: '2126-12-01' }] },
    '/matters/0/milestones/0/next_update_by',
    /more than 10 years ahead/,
  ],
  [
    'matters',
    { milestones: [{ key: 'instructed', status: 'done', reached_on: '2126-11-01' }] },
    '/matters/0/milestones/0/reached_on',
    /is in the future/,
  ],
  ['searches', { expected_on: '2126-12-01' }, '/searches/0/expected_on', /more than 10 years ahead/],
  ['searches', { valid_until: '2126-12-01' }, '/searches/0/valid_until', /more than 10 years ahead/],
  [
    'searches',
    { returned_at: '2025-11-01T09:00:00Z', valid_until: '2016-05-01' },
    '/searches/0/valid_until',
    /more than 2 years ago/,
  ],
  ['searches', { ordered_at: '2126-12-01T10:00:00Z' }, '/searches/0/ordered_at', /is in the future/],
  ['documents', { shared_at: '2126-12-01T10:00:00Z' }, '/documents/0/shared_at', /is in the future/],
  ['tasks', { due_on: '2126-12-01' }, '/tasks/0/due_on', /more than 10 years ahead/],
  ['history', { occurred_at: '2126-12-01T10:00:00Z' }, '/history/0/occurred_at', /is in the future/],
  ['clients', { email: 'unknown' }, '/clients/0/email', /must be an email address/],
  ['clients', { email: 'ada@example.test, bo@example.test' }, '/clients/0/email', /must be an email address/],
  ['clients', { email: 'ada@example' }, '/clients/0/email', /must be an email address/],
  ['clients', { email: 'ada@example.test.' }, '/clients/0/email', /must be an email address/],
  ['clients', { first_name: undefined }, '/clients/0/first_name', /is required/],
  ['documents', { signing: 'typed' }, '/documents/0/signing', /simple/],
  ['documents', { binds_on: 'exchange' }, '/documents/0/binds_on', /^needs signing$/],
  [
    'documents',
    { signing: 'simple', received_on: '2026-11-20' },
    '/documents/0/received_on',
    /^is only for a document with signing deed or wet_ink$/,
  ],
  ['tasks', { search: undefined }, '/tasks/0/search', /is required/],
  [
    'documents',
    { shared_at: '2026-01-01T10:00:00+01' },
    '/documents/0/shared_at',
    /must be an ISO 8601 timestamp/,
  ],
  [
    'history',
    { occurred_at: '2026-01-01T23:59:60Z' },
    '/history/0/occurred_at',
    /must be an ISO 8601 timestamp/,
  ],
  ['searches', { paid_at: '2026-12-31T23:59:60Z' }, '/searches/0/paid_at', /must be an ISO 8601 timestamp/],
  [
    'searches',
    { ordered_at: '2026-01-01T10:00:00+01' },
    '/searches/0/ordered_at',
    /must be an ISO 8601 timestamp/,
  ],
  [
    'searches',
    { price: { net: 0, vat_rate: 20 } },
    '/searches/0/status',
    /cannot be awaiting_payment: the price is 0/,
  ],
  [
    'searches',
    { price: { net: 25, vat_rate: 15 } },
    '/searches/0/price',
    /cannot be awaiting_payment at 29 pence with VAT: the payment provider accepts no card payment below 30 pence/,
  ],
  ['searches', { name: 'Card 4242 4242 4242 4242' }, '/searches/0/name', /^contains a card number/],
  [
    'history',
    { summary: 'Pay to sort code 20‑00‑00, account 1234 5678' },
    '/history/0/summary',
    /^contains bank details/,
  ],
  ['documents', { title: 'GB33 BUKB 2020 1555 5555 55' }, '/documents/0/title', /^contains bank details/],
  ['clients', { phone: '4242-4242-4242-4242' }, '/clients/0/phone', /^contains a card number/],
  [
    'cases',
    { handlers: [{ name: '4000056655665556', role: 'C', phone: '0117 496 0101', email: 'r@example.test' }] },
    '/cases/0/handlers/0/name',
    /^contains a card number/,
  ],
];

export const recordRules: readonly RecordRule[] = [...sharedRecordRules, ...importOnlyRules];

/** The table of each list. */
export const tableOf: Record<List, string> = {
  clients: 'clients',
  cases: 'conveyancing_cases',
  matters: 'matters',
  documents: 'documents',
  searches: 'case_searches',
  tasks: 'tasks',
  history: 'history_entries',
};
