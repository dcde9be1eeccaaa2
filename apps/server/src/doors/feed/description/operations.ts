import { feedFormat, feedRecords } from '@keyturn/contract';
import { anyOf, type JsonSchema, list, object, optional } from './json-schema.ts';

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

/** The documentation of one call of the feed over HTTP. */
export interface FeedOperation {
  method: 'get' | 'put' | 'post' | 'delete';
  /** Below `/api`. */
  path: string;
  id: string;
  summary: string;
  description: string;
  /** The scope that the key needs. */
  scope: string;
  query?: Record<string, { schema: JsonSchema; description: string }>;
  bodies?: Record<string, { schema: JsonSchema; description?: string }>;
  acceptsIdempotencyKey?: boolean;
  answers: Record<number, { description: string; schema: JsonSchema }>;
  examples: FeedExample[];
}

const reference = { type: 'string', minLength: 1, maxLength: 100 };
const count = { type: 'integer', minimum: 0 };
const id = { type: 'string', format: 'uuid' };
const instant = { type: 'string', format: 'date-time' };
const text = { type: 'string' };
const textOrNull = anyOf(text, { type: 'null' });
const lineNumber = { type: 'integer', minimum: 1 };
const result = (...results: string[]) => object({ data: object({ reference, result: { enum: results } }) });
const counts = { created: count, updated: count, unchanged: count };
const rejected = { reference: textOrNull, reason: text };
const batchResult = object({
  data: object({
    ...counts,
    rejected: list(
      anyOf(
        object({ ...rejected, place: { ...text, description: 'For a batch in JSON' } }),
        object({ ...rejected, field: textOrNull, line: lineNumber }),
      ),
    ),
  }),
});
const batchState: JsonSchema = object({
  data: object({
    id,
    state: { enum: ['waiting', 'importing', 'done', 'failed'] },
    reason: textOrNull,
    records: count,
    processed: count,
    ...counts,
    rejected_count: count,
    rejected: {
      ...list(object({ ...rejected, field: textOrNull, line: lineNumber })),
      description: 'The first 1,000',
    },
    records_per_second: count,
    received_at: instant,
    finished_at: anyOf(instant, { type: 'null' }),
  }),
});
const changeTypes = [
  'payment.succeeded',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'payment.dispute_closed',
  'document.signed',
  'document.read',
  'client.activated',
  'client.phone_changed',
];
const changesPage: JsonSchema = object({
  data: list(
    object({
      position: lineNumber,
      type: { enum: changeTypes },
      occurred_at: instant,
      client: optional(reference),
      case: optional(reference),
      matter: optional(reference),
      search: optional(reference),
      bill: optional(reference),
      document: optional(reference),
      payment: optional(id),
      refund: optional(id),
      dispute: optional(id),
      amount: optional({ type: 'integer', description: 'Pence' }),
      outcome: optional({
        ...text,
        description: 'Of a closed dispute: won, lost, inquiry_closed or prevented',
      }),
    }),
  ),
  meta: object({ next: textOrNull, has_more: { type: 'boolean' } }),
});

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
const anyRecord = anyOf(
  ...Object.keys(feedRecords).map((kind) => ({ $ref: `#/components/schemas/${kind}` })),
);

/** The documentation of every call of the feed over HTTP. A test runs the examples in order. */
export const feedOperations: readonly FeedOperation[] = [
  {
    method: 'put',
    path: '/feed/{kind}/{reference}',
    id: 'send-record',
    summary: 'Send a record',
    description:
      'Creates or updates one record. The reference can be left out of the body. The file of a document is sent before its record.',
    scope: 'KIND:write',
    bodies: { 'application/json': { schema: anyRecord } },
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The record was updated, or equals the stored record',
        schema: result('updated', 'unchanged'),
      },
      201: { description: 'The record was created', schema: result('created') },
    },
    examples: [
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
          errors: { email: ['must match format "email"'] },
        },
      },
    ],
  },
  {
    method: 'get',
    path: '/feed/{kind}/{reference}',
    id: 'read-record',
    summary: 'Read a record',
    description:
      'Returns the stored record in the format in which you send it. Sending it back unchanged has no effect. Passwords are never part of it.',
    scope: 'KIND:read',
    answers: { 200: { description: 'The record', schema: object({ data: anyRecord }) } },
    examples: [
      {
        summary: 'A client',
        path: '/feed/clients/C-1042',
        status: 200,
        answer: { data: { reference: 'C-1042', ...client } },
      },
    ],
  },
  {
    method: 'post',
    path: '/feed/batches',
    id: 'send-batch',
    summary: 'Send a batch',
    description:
      'Stores many records. A batch may have up to 1 MB and 2,000 records in JSON, and up to 100 MB and 500,000 lines in NDJSON, where each line is a record with its kind. Above 1 MB or 2,000 records the answer is 202, and its Location header is the address of the batch’s status.',
    scope: 'KIND:write for each kind in the batch',
    bodies: {
      'application/json': {
        schema: { $ref: '#/components/schemas/feed' },
        description: 'A case feed without `firm`',
      },
      'application/x-ndjson': { schema: text, description: 'On each line: {"kind":"clients","record":{…}}' },
    },
    acceptsIdempotencyKey: true,
    answers: {
      200: { description: 'Every record was stored or rejected', schema: batchResult },
      202: {
        description: 'The batch has arrived completely and is being imported',
        schema: object({ data: object({ id, state: text, records: count }) }),
      },
    },
    examples: [
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
  },
  {
    method: 'get',
    path: '/feed/batches/{id}',
    id: 'read-batch',
    summary: 'Get the status of a batch',
    description: 'Only the key that sent the batch can get its status, for a week.',
    scope: 'none',
    answers: { 200: { description: 'The state and the counts so far', schema: batchState } },
    examples: [
      {
        summary: 'An unknown batch',
        path: '/feed/batches/0f6f3a1e-6a0b-4c53-9a36-2d1e0f9a8b7c',
        status: 404,
        answer: { message: 'We could not find that.', code: 'not_found' },
      },
    ],
  },
  {
    method: 'delete',
    path: '/feed/{kind}/{reference}',
    id: 'withdraw-record',
    summary: 'Withdraw a record',
    description:
      'Cancels a search or a bill, as an import with the status cancelled does. Other kinds are refused, and the message says what to send instead.',
    scope: 'KIND:write',
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The record is withdrawn, or already was',
        schema: result('withdrawn', 'unchanged'),
      },
    },
    examples: [
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
  },
  {
    method: 'put',
    path: '/feed/documents/{reference}/file',
    id: 'send-file',
    summary: 'Send the file of a document',
    description:
      'The body is the file: PDF, JPEG, PNG or WebP up to 25 MB. Send the record of a new document within 24 hours; an existing document gets the file at once, unless it is signed.',
    scope: 'documents:write',
    bodies: Object.fromEntries(
      ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'].map((type) => [
        type,
        { schema: { ...text, format: 'binary' } },
      ]),
    ),
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The file waits for its record, or is now the document’s file',
        schema: result('stored', 'updated', 'unchanged'),
      },
    },
    examples: [
      {
        summary: 'The file of a new document',
        path: '/feed/documents/D-3/file',
        contentType: 'application/pdf',
        body: '%PDF-1.7 …',
        status: 200,
        answer: { data: { reference: 'D-3', result: 'stored' } },
      },
    ],
  },
  {
    method: 'get',
    path: '/feed/changes',
    id: 'read-changes',
    summary: 'Read events',
    description:
      'Payments, refunds, disputes, signatures, documents read and clients who set their first password, in an order that never skips anything. Keep `meta.next`, and send it as `after` with the next request.',
    scope: 'changes:read',
    query: {
      after: { schema: text, description: 'meta.next of an earlier answer; without it, from the start' },
      limit: {
        schema: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
        description: 'Changes in an answer',
      },
    },
    answers: {
      200: {
        description: 'The next changes',
        schema: changesPage,
      },
    },
    examples: [
      {
        summary: 'Nothing has happened yet',
        path: '/feed/changes?limit=50',
        status: 200,
        answer: { data: [], meta: { next: null, has_more: false } },
      },
    ],
  },
];
