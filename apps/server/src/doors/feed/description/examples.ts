import { feedFormat } from '@keyturn/contract';
import type { FeedCallKey } from '@keyturn/contract/feed';

/** A request and its answer from an installation with a firm; examples run in order. */
export interface FeedExample {
  summary: string;
  path: string;
  contentType?: string;
  /** JSON, or unparsed text. */
  body?: object | string;
  status: number;
  answer: object;
}

const client = { first_name: 'Amelia', last_name: 'Okafor', email: 'amelia@example.com' };
const conveyancingCase = {
  reference: 'OK-2026-017',
  title: 'Purchase of 5 Mill Lane',
  status: 'active',
  clients: ['C-1042'],
  handlers: [
    { name: 'Rhian Price', role: 'Your conveyancer', phone: '0117 496 0201', email: 'rhian@example.com' },
  ],
};
const bill = {
  reference: 'B-7',
  case: 'OK-2026-017',
  number: '2026-118',
  description: 'Our fee for your purchase',
  issued_on: '2026-11-18',
  net: 115_000,
  vat_rate: 20,
  vat: 23_000,
  status: 'issued',
};
const entry = {
  reference: 'H-1',
  case: 'OK-2026-017',
  occurred_at: '2026-11-16T09:30:00.000Z',
  category: 'case',
  actor: 'Rhian Price',
  summary: 'We opened your case',
};

/** The examples of each call of the feed, in an order in which they can be made. A test makes them. */
export const feedExamples: Readonly<Record<FeedCallKey, readonly FeedExample[]>> = {
  'PUT /feed/{kind}/{reference}': [
    {
      summary: 'A new client',
      path: '/feed/clients/C-1042',
      body: client,
      status: 201,
      answer: { data: { reference: 'C-1042', result: 'created' } },
    },
    {
      summary: 'The same client again',
      path: '/feed/clients/C-1042',
      body: client,
      status: 200,
      answer: { data: { reference: 'C-1042', result: 'unchanged' } },
    },
    {
      summary: 'An invalid record',
      path: '/feed/clients/C-1043',
      body: { ...client, email: 'amelia' },
      status: 422,
      answer: {
        message: 'Some fields are invalid.',
        code: 'invalid_input',
        errors: { email: ['must be an email address such as name@example.com'] },
      },
    },
  ],
  'GET /feed/{kind}/{reference}': [
    {
      summary: 'A client',
      path: '/feed/clients/C-1042',
      status: 200,
      answer: { data: { reference: 'C-1042', ...client } },
    },
  ],
  'POST /feed/batches': [
    {
      summary: 'A case and a bill',
      path: '/feed/batches',
      body: { format: feedFormat, as_of: '2026-11-20', cases: [conveyancingCase], bills: [bill] },
      status: 200,
      answer: { data: { created: 2, updated: 0, unchanged: 0, rejected: [] } },
    },
    {
      summary: 'NDJSON with one rejected line',
      path: '/feed/batches',
      contentType: 'application/x-ndjson',
      body: `${JSON.stringify({ kind: 'history', record: entry })}\n${JSON.stringify({ kind: 'history', record: { ...entry, reference: 'H-2', case: 'OK-1' } })}\n`,
      status: 200,
      answer: {
        data: {
          created: 1,
          updated: 0,
          unchanged: 0,
          rejected: [
            {
              line: 2,
              reference: 'H-2',
              field: 'case',
              reason: 'refers to "OK-1", which does not exist or was rejected',
            },
          ],
        },
      },
    },
  ],
  'GET /feed/batches/{id}': [
    {
      summary: 'An unknown batch',
      path: '/feed/batches/0f6f3a1e-6a0b-4c53-9a36-2d1e0f9a8b7c',
      status: 404,
      answer: { message: 'We could not find that.', code: 'not_found' },
    },
  ],
  'DELETE /feed/{kind}/{reference}': [
    {
      summary: 'A bill',
      path: '/feed/bills/B-7',
      status: 200,
      answer: { data: { reference: 'B-7', result: 'withdrawn' } },
    },
    {
      summary: 'A kind that cannot be withdrawn',
      path: '/feed/clients/C-1042',
      status: 409,
      answer: {
        message: 'A client can’t be withdrawn. Send their cases without them.',
        code: 'feed_not_possible',
      },
    },
  ],
  'PUT /feed/payouts/{payout}': [
    {
      summary: 'A day that is not one',
      path: '/feed/payouts/po_1RtZ0c2eZvKYlo2C',
      body: { matched_on: '2026-11-31' },
      status: 422,
      answer: {
        message: 'Some fields are invalid.',
        code: 'invalid_input',
        errors: { matched_on: ['must be a day from 1900 to 2199 such as 2026-11-27'] },
      },
    },
    {
      summary: 'An unknown payout',
      path: '/feed/payouts/po_1RtZ0c2eZvKYlo2C',
      body: { matched_on: '2026-11-20' },
      status: 404,
      answer: { message: 'We could not find that.', code: 'not_found' },
    },
  ],
  'PUT /feed/documents/{reference}/file': [
    {
      summary: 'The file of a new document',
      path: '/feed/documents/D-3/file',
      contentType: 'application/pdf',
      body: '%PDF-1.7 …',
      status: 200,
      answer: { data: { reference: 'D-3', result: 'stored' } },
    },
  ],
  'GET /feed/changes': [
    {
      summary: 'Nothing has happened yet',
      path: '/feed/changes?limit=50',
      status: 200,
      answer: { data: [], meta: { next: null, has_more: false } },
    },
  ],
};
