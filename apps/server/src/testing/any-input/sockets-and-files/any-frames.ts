import { signChannel, signUser } from '@keyturn/pusher-protocol';
import fc from 'fast-check';
import { testApp } from '../../real-time/channel-test-clients.ts';
import { encodeFrame, type FrameParts, opcodes } from '../../real-time/websocket-frames.ts';
import { bodiesOf } from '../broken-json.ts';
import { storedIn } from '../odd-values.ts';
import { valuesOf } from '../values-of-schema.ts';

const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const channel = {
  enum: [
    ...[
      'status',
      'private-room',
      'presence-room',
      'cache-room',
      'private-encrypted-room',
      '#server-to-user-1',
    ],
    ...[`private-case.${storedIn('conveyancing_cases')}`, 'x'.repeat(201), ''],
  ],
};
/** Replaced by a valid signature for the connection. */
const auth = { enum: ['@@signature@@', '@@signature@@', 'key:0', '', 'key'] };

/** Messages of clients in the Pusher protocol. */
const messages = [
  object(
    {
      event: { const: 'pusher:subscribe' },
      data: object(
        { channel, auth, channel_data: { enum: ['{"user_id":"7"}', '{"user_id":7}', '{}', 'null', '@@'] } },
        'channel',
      ),
    },
    'event',
    'data',
  ),
  object({ event: { const: 'pusher:unsubscribe' }, data: object({ channel }, 'channel') }, 'event', 'data'),
  object(
    {
      event: { const: 'pusher:signin' },
      data: object(
        { auth: { enum: ['@@user@@', 'key:0'] }, user_data: { enum: ['{"id":"1"}', '{"id":1}', '{}'] } },
        'auth',
        'user_data',
      ),
    },
    'event',
    'data',
  ),
  object({ event: { const: 'pusher:ping' }, data: object({}) }, 'event'),
  object(
    {
      event: { enum: ['client-typing', 'client-', 'pusher:error', 'pusher_internal:member_added', 'x'] },
      channel,
      data: text,
    },
    'event',
    'channel',
    'data',
  ),
];

const contents = bodiesOf(fc.oneof(...messages.map((schema) => valuesOf(schema)))).map(
  ({ content }) => content,
);
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

const anyFrame: fc.Arbitrary<FrameParts> = fc.record({
  opcode: fc.constantFrom(0, 1, 1, 1, 1, 2, 3, 8, 9, 10, 15),
  payload: fc.oneof({ weight: 4, arbitrary: contents }, { weight: 1, arbitrary: bytes }),
  isLast: fc.constantFrom(true, true, true, false),
  reserved: fc.constantFrom(0, 0, 0, 0, 0, 1, 4),
  isMasked: fc.constantFrom(true, true, true, true, false),
});

const { text: ofText, continuation, ping } = opcodes;
const message = contents.map((payload): FrameParts[] => [{ opcode: ofText, payload }]);
const fragments = fc
  .tuple(contents, fc.nat(20))
  .map(([payload, count]): FrameParts[] => [
    { opcode: ofText, payload, isLast: false },
    ...Array.from({ length: count }, () => ({ opcode: continuation, payload: '', isLast: false })),
    { opcode: ping, payload: 'x' },
    { opcode: continuation, payload: '' },
  ]);

/** Frames of one connection, or bytes that are none. */
export const anyFrames: fc.Arbitrary<FrameParts[] | Buffer> = fc.oneof(
  { weight: 5, arbitrary: fc.array(message, { minLength: 1, maxLength: 8 }).map((all) => all.flat()) },
  { weight: 3, arbitrary: fc.array(anyFrame, { minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fragments },
  { weight: 1, arbitrary: fc.nat(50_000).map((length) => [{ opcode: ofText, payload: 'x'.repeat(length) }]) },
  { weight: 1, arbitrary: bytes },
  // A frame of 16 exabytes.
  { weight: 1, arbitrary: fc.constant(Buffer.from('81ffffffffffffffffff00000000', 'hex')) },
);

/** Encodes frames for a connection, with signatures that are valid for it. */
export function encodeFrames(
  frames: FrameParts[] | Buffer,
  { socketId, resolve }: { socketId: string; resolve(text: string): string },
): Buffer {
  if (Buffer.isBuffer(frames)) return frames;
  const sign = (content: string) => {
    const name = /"channel":"([^"]*)"/.exec(content)?.[1] ?? '';
    const data = content.includes('\\"user_id\\":\\"7\\"') ? '{"user_id":"7"}' : null;
    // Other channels need no signature.
    const isSigned = /^(private|presence)-(?!encrypted-)/.test(name);
    const signature = isSigned ? signChannel(testApp, socketId, name, data).auth : '';
    return content
      .replaceAll('@@signature@@', signature)
      .replaceAll('@@user@@', signUser(testApp, socketId, '{"id":"1"}').auth);
  };
  return Buffer.concat(
    frames.map((frame) =>
      encodeFrame({
        ...frame,
        ...(typeof frame.payload === 'string' ? { payload: sign(resolve(frame.payload)) } : {}),
      }),
    ),
  );
}
