import { crc32, deflateSync } from 'node:zlib';
import { toCsv } from '@keyturn/format/csv';
import { anyPdf, fixtureFeed } from '@keyturn/testkit';
import fc from 'fast-check';
import { spreadsheetTemplate } from '../../../doors/spreadsheets/template.ts';
import { bodiesOf } from '../broken-json.ts';
import { oddText, storedIn } from '../odd-values.ts';
import { valuesOf } from '../values-of-schema.ts';

interface Mutation {
  kind: 'change' | 'insert' | 'remove' | 'repeat' | 'truncate';
  /** A share of the length. */
  at: number;
  bytes: Uint8Array;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('change', 'change', 'change', 'insert', 'remove', 'repeat', 'truncate'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
});

function mutate(content: Buffer, { kind, at, bytes }: Mutation): Buffer {
  const place = Math.floor(at * content.length);
  const [before, after] = [content.subarray(0, place), content.subarray(place)];
  switch (kind) {
    case 'change':
      return Buffer.concat([before, bytes, after.subarray(bytes.length)]);
    case 'insert':
      return Buffer.concat([before, bytes, after]);
    case 'remove':
      return Buffer.concat([before, after.subarray(bytes.length * 20)]);
    case 'repeat':
      return Buffer.concat([content, after]);
    case 'truncate':
      return before;
  }
}

const mutationsOf = (samples: fc.Arbitrary<Buffer>) =>
  fc
    .tuple(samples, fc.array(mutation, { maxLength: 4 }))
    .map(([sample, mutations]) => mutations.reduce(mutate, sample));

const [headings = '', ...templateRows] = spreadsheetTemplate().split('\r\n');
const oddRow = fc.array(oddText, { minLength: 1, maxLength: 24 });
const tables = fc.oneof(
  fc.constant(spreadsheetTemplate()),
  fc
    .array(oddRow, { maxLength: 5 })
    .map((rows) => [headings, ...templateRows.slice(0, 1), toCsv(rows)].join('\r\n')),
  fc.array(oddRow, { maxLength: 5 }).map((rows) => toCsv(rows)),
);
const zipped = Buffer.from('PK\x03\x04\x14\x00\x06\x00', 'latin1');

/** Spreadsheets that staff import: as CSV, as a workbook, and damaged. */
export const anySpreadsheets: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: mutationsOf(tables.map((text) => Buffer.from(text.toWellFormed()))) },
  { weight: 1, arbitrary: tables.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.concat([zipped, bytes])) },
);

/** Documents, most of them damaged. */
export const anyDocuments: fc.Arbitrary<Buffer> = mutationsOf(fc.constant(anyPdf()));

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const picture = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  chunk('IHDR', Buffer.from('0000005a0000001e0806000000', 'hex')),
  chunk('IDAT', deflateSync(Buffer.alloc(30 * (1 + 90 * 4)))),
  chunk('IEND', Buffer.alloc(0)),
]);

/** Logos, most of them damaged. */
export const anyLogos: fc.Arbitrary<Buffer> = mutationsOf(fc.constant(picture));

const lines = Object.entries(fixtureFeed).flatMap(([kind, records]) =>
  (Array.isArray(records) ? (records as object[]) : []).map((record) => ({
    kind,
    ...record,
    reference: storedIn(`${kind}.reference`),
  })),
);

/** Batches of the feed as lines of JSON. */
export const anyBatches: fc.Arbitrary<Buffer | string> = fc.oneof(
  fc
    .array(bodiesOf(fc.constantFrom(...lines)), { maxLength: 6 })
    .map((bodies) => bodies.map(({ content }) => String(content)).join('\n')),
  mutationsOf(fc.constant(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')))),
);

const webhook = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    type: {
      enum: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'charge.dispute.created', 'x'],
    },
    intent: { enum: [storedIn('sandbox_intents'), 'pi_unknown', ''] },
    subject: {
      type: 'object',
      properties: { kind: { enum: ['fraud_warning', 'review'] }, id: { type: 'string' } },
      required: ['kind', 'id'],
    },
  },
  required: ['id', 'type', 'intent'],
};

/** Bodies of webhooks from the provider. */
export const anyWebhooks: fc.Arbitrary<Buffer | string> = bodiesOf(valuesOf(webhook)).map(
  ({ content }) => content,
);
