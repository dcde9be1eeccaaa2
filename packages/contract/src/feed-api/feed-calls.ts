import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Day } from '../entities/values.ts';
import { type FeedList, feedRecords } from '../feed.ts';
import { documentMediaTypes } from '../vocabulary.ts';
import { type FeedCallDefinition, feedDefaults } from './feed-call-definition.ts';

export { type FeedAccess, type FeedCallDefinition, feedErrors } from './feed-call-definition.ts';

/** In bytes. All records of a request are in memory at the same time. */
export const maxBatchBytes = 1024 * 1024;
/** The maximum size of a document’s file, in bytes, over HTTP and in a folder. */
export const maxFeedFileBytes = 25 * 1024 * 1024;

/** An object with exactly these properties. */
const exact = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
/** Refers to a schema in the components of the OpenAPI description. */
const described = (name: FeedList | 'feed') => Type.Unsafe({ $ref: `#/components/schemas/${name}` });
const oneOf = <Value extends string>(values: readonly Value[]) => Type.Unsafe<Value>({ enum: values });

const Text = Type.String();
const TextOrNull = Type.Union([Text, Type.Null()]);
const Reference = Type.String({ minLength: 1, maxLength: 100 });
const Count = Type.Integer({ minimum: 0 });
const FeedId = Type.String({ format: 'uuid' });
const FeedInstant = Type.String({ format: 'date-time' });
const LineNumber = Type.Integer({ minimum: 1 });

const resultOf = <Result extends string>(...results: Result[]) =>
  exact({ data: exact({ reference: Reference, result: oneOf(results) }) });

const counts = { created: Count, updated: Count, unchanged: Count };
const rejected = { reference: TextOrNull, reason: Text };
const rejectedLine = exact({ ...rejected, field: TextOrNull, line: LineNumber });

const BatchResult = exact({
  data: exact({
    ...counts,
    rejected: Type.Array(
      Type.Union([
        exact({ ...rejected, place: Type.String({ description: 'For a batch in JSON' }) }),
        rejectedLine,
      ]),
    ),
  }),
});

const BatchState = exact({
  data: exact({
    id: FeedId,
    state: oneOf(['waiting', 'importing', 'done', 'failed']),
    reason: TextOrNull,
    records: Count,
    processed: Count,
    ...counts,
    rejected_count: Count,
    rejected: Type.Array(rejectedLine, { description: 'The first 1,000' }),
    records_per_second: Count,
    received_at: FeedInstant,
    finished_at: Type.Union([FeedInstant, Type.Null()]),
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
] as const;

const ChangesPage = exact({
  data: Type.Array(
    exact({
      position: LineNumber,
      type: oneOf(changeTypes),
      occurred_at: FeedInstant,
      client: Type.Optional(Reference),
      case: Type.Optional(Reference),
      matter: Type.Optional(Reference),
      search: Type.Optional(Reference),
      bill: Type.Optional(Reference),
      document: Type.Optional(Reference),
      payment: Type.Optional(FeedId),
      refund: Type.Optional(FeedId),
      dispute: Type.Optional(FeedId),
      amount: Type.Optional(Type.Integer({ description: 'Pence' })),
      outcome: Type.Optional(
        Type.String({ description: 'Of a closed dispute: won, lost, inquiry_closed or prevented' }),
      ),
    }),
  ),
  meta: exact({ next: TextOrNull, has_more: Type.Boolean() }),
});

/** What a firm’s ledger records about a payout. */
export const PayoutDays = Type.Object(
  {
    matched_on: Type.Optional(Type.Union([Day, Type.Null()])),
    transferred_on: Type.Optional(Type.Union([Day, Type.Null()])),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type PayoutDays = Static<typeof PayoutDays>;

const AnyRecord: TSchema = Type.Union((Object.keys(feedRecords) as FeedList[]).map(described));

/** Every call of the case feed over HTTP. */
export const feedCalls = {
  'PUT /feed/{kind}/{reference}': {
    ...feedDefaults,
    id: 'send-record',
    summary: 'Send a record',
    description:
      'Creates or updates one record. The reference can be left out of the body. The file of a document is sent before its record.',
    access: 'KIND:write',
    bodies: { 'application/json': { schema: AnyRecord } },
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The record was updated, or equals the stored record',
        schema: resultOf('updated', 'unchanged'),
      },
      201: { description: 'The record was created', schema: resultOf('created') },
    },
  },
  'GET /feed/{kind}/{reference}': {
    ...feedDefaults,
    id: 'read-record',
    summary: 'Read a record',
    description:
      'Returns the stored record in the format in which you send it. Sending it back unchanged has no effect. Passwords are never part of it.',
    access: 'KIND:read',
    answers: { 200: { description: 'The record', schema: exact({ data: AnyRecord }) } },
  },
  'POST /feed/batches': {
    ...feedDefaults,
    id: 'send-batch',
    summary: 'Send a batch',
    description:
      'Stores many records. A batch may have up to 1 MB and 2,000 records in JSON, and up to 100 MB and 500,000 lines in NDJSON, where each line is a record with its kind. Above 1 MB or 2,000 records the answer is 202, and its Location header is the address of the batch’s status.',
    access: 'KINDS:write',
    maxBytes: maxBatchBytes,
    bodies: {
      'application/json': {
        schema: described('feed'),
        description: 'A case feed without `firm`',
      },
      'application/x-ndjson': { schema: Text, description: 'On each line: {"kind":"clients","record":{…}}' },
    },
    acceptsIdempotencyKey: true,
    answers: {
      200: { description: 'Every record was stored or rejected', schema: BatchResult },
      202: {
        description: 'The batch has arrived completely and is being imported',
        schema: exact({ data: exact({ id: FeedId, state: Text, records: Count }) }),
      },
    },
  },
  'GET /feed/batches/{id}': {
    ...feedDefaults,
    id: 'read-batch',
    summary: 'Get the status of a batch',
    description: 'Only the key that sent the batch can get its status, for a week.',
    access: 'any-key',
    answers: { 200: { description: 'The state and the counts so far', schema: BatchState } },
  },
  'DELETE /feed/{kind}/{reference}': {
    ...feedDefaults,
    id: 'withdraw-record',
    summary: 'Withdraw a record',
    description:
      'Cancels a search or a bill, as an import with the status cancelled does. Other kinds are refused, and the message says what to send instead.',
    access: 'KIND:write',
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The record is withdrawn, or already was',
        schema: resultOf('withdrawn', 'unchanged'),
      },
    },
  },
  'PUT /feed/documents/{reference}/file': {
    ...feedDefaults,
    id: 'send-file',
    summary: 'Send the file of a document',
    description:
      'The body is the file: PDF, JPEG, PNG or WebP up to 25 MB. Send the record of a new document within 24 hours; an existing document gets the file at once, unless it is signed.',
    access: 'documents:write',
    bodies: Object.fromEntries(
      documentMediaTypes.map((type) => [type, { schema: Type.String({ format: 'binary' }) }]),
    ),
    maxBytes: maxFeedFileBytes,
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The file waits for its record, or is now the document’s file',
        schema: resultOf('stored', 'updated', 'unchanged'),
      },
    },
  },
  'PUT /feed/payouts/{payout}': {
    ...feedDefaults,
    id: 'record-payout',
    summary: 'Record a payout',
    description:
      'Records what your ledger knows about a payout of the payment provider: the day of the bank statement with it, and the day on which you moved what was taken from it to the client account. A day that is left out stays as it is, and null removes it.',
    access: 'payouts:write',
    bodies: { 'application/json': { schema: PayoutDays } },
    acceptsIdempotencyKey: true,
    answers: {
      200: {
        description: 'The days are stored, or were already',
        schema: exact({ data: exact({ payout: Text, result: oneOf(['updated', 'unchanged']) }) }),
      },
    },
  },
  'GET /feed/changes': {
    ...feedDefaults,
    id: 'read-changes',
    summary: 'Read events',
    description:
      'Payments, refunds, disputes, signatures, documents read and clients who set their first password, in an order that never skips anything. Keep `meta.next`, and send it as `after` with the next request.',
    access: 'changes:read',
    parameters: {
      after: { schema: Text, description: 'meta.next of an earlier answer; without it, from the start' },
      limit: {
        schema: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
        description: 'Changes in an answer',
      },
    },
    answers: {
      200: {
        description: 'The next changes',
        schema: ChangesPage,
      },
    },
  },
} as const satisfies Record<string, FeedCallDefinition>;

export type FeedCallKey = keyof typeof feedCalls;
