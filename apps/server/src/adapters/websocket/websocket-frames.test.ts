import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeTestClients, openRawClient } from '../../testing/real-time/channel-test-clients.ts';
import {
  startTestChannelServer,
  type TestChannelServer,
} from '../../testing/real-time/channel-test-server.ts';
import {
  decodeFrames,
  encodeFrame,
  type FrameParts,
  opcodes,
} from '../../testing/real-time/websocket-frames.ts';

let server: TestChannelServer;
const opened: Socket[] = [];
beforeAll(async () => {
  server = await startTestChannelServer();
});
afterEach(() => {
  closeTestClients();
  for (const socket of opened.splice(0)) socket.destroy();
});
afterAll(() => server.stop());

/** Polls every 3 ms. */
const frequently = { interval: 3 };

/** Opens a client that writes raw bytes, without `ws`. */
async function openByteClient() {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  opened.push(socket);
  let received = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `GET /app/key?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  const frames = () => {
    const start = received.indexOf('\r\n\r\n') + 4;
    return start < 4 ? [] : decodeFrames(received.subarray(start));
  };
  const has = (opcode: number, count = 1) =>
    expect.poll(() => frames().filter((frame) => frame.opcode === opcode).length, frequently).toBe(count);
  await has(opcodes.text);
  return {
    write: (...parts: (FrameParts | Buffer)[]) => {
      socket.write(Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : encodeFrame(part)))));
    },
    frames,
    has,
    /** Resolves with the server's close code, after the close handshake. */
    closeCode: async () => {
      await expect.poll(() => frames().some(({ opcode }) => opcode === opcodes.close), frequently).toBe(true);
      const code = frames()
        .find(({ opcode }) => opcode === opcodes.close)
        ?.payload.readUInt16BE(0);
      if (!socket.destroyed)
        socket.write(encodeFrame({ opcode: opcodes.close, payload: Buffer.from([3, 232]) }));
      await ended;
      return code;
    },
  };
}

const ping = '{"event":"pusher:ping","data":{}}';

// These cover the categories of the Autobahn test suite, which would need Python.
describe('RFC 6455', () => {
  test('protocol 10: joins a fragmented message with control frames between the fragments', async () => {
    const client = await openByteClient();
    client.write(
      { opcode: opcodes.text, payload: ping.slice(0, 5), isLast: false },
      { opcode: opcodes.ping, payload: 'between' },
      { opcode: opcodes.continuation, payload: ping.slice(5, 9), isLast: false },
      { opcode: opcodes.continuation, payload: '', isLast: false },
      { opcode: opcodes.pong },
      { opcode: opcodes.continuation, payload: ping.slice(9) },
    );
    await client.has(opcodes.text, 2);
    await client.has(opcodes.pong);
    expect(String(client.frames().find(({ opcode }) => opcode === opcodes.pong)?.payload)).toBe('between');
  });

  test('protocol 10: reads a message that arrives byte by byte', async () => {
    const client = await openByteClient();
    for (const byte of encodeFrame({ opcode: opcodes.text, payload: ping }))
      client.write(Buffer.from([byte]));
    await client.has(opcodes.text, 2);
  });

  test('protocol 10: answers a ping with its payload of up to 125 bytes', async () => {
    const client = await openByteClient();
    const payload = randomBytes(125);
    client.write({ opcode: opcodes.ping, payload }, { opcode: opcodes.ping });
    await client.has(opcodes.pong, 2);
    expect(client.frames().find(({ opcode }) => opcode === opcodes.pong)?.payload).toEqual(payload);
  });

  test.each<[string, FrameParts[], number]>([
    ['a ping of 126 bytes', [{ opcode: opcodes.ping, payload: 'x'.repeat(126) }], 1002],
    ['a fragmented ping', [{ opcode: opcodes.ping, isLast: false }], 1002],
    ['reserved bit 1', [{ opcode: opcodes.text, payload: ping, reserved: 4 }], 1002],
    ['reserved bit 2', [{ opcode: opcodes.text, payload: ping, reserved: 2 }], 1002],
    ['reserved bit 3', [{ opcode: opcodes.text, payload: ping, reserved: 1 }], 1002],
    ['opcode 3', [{ opcode: 3 }], 1002],
    ['opcode 11', [{ opcode: 11 }], 1002],
    ['a continuation without a message', [{ opcode: opcodes.continuation, payload: 'x' }], 1002],
    [
      'a new message within a fragmented one',
      [{ opcode: opcodes.text, payload: 'x', isLast: false }, { opcode: opcodes.text }],
      1002,
    ],
    ['a frame without a mask', [{ opcode: opcodes.text, payload: ping, isMasked: false }], 1002],
    ['invalid UTF-8', [{ opcode: opcodes.text, payload: Buffer.from([0xce, 0xba, 0xff]) }], 1007],
    ['an encoded surrogate', [{ opcode: opcodes.text, payload: Buffer.from([0xed, 0xa0, 0x80]) }], 1007],
    ['overlong UTF-8', [{ opcode: opcodes.text, payload: Buffer.from([0xc0, 0xaf]) }], 1007],
    [
      'a fragmented message that ends within a character',
      [
        { opcode: opcodes.text, payload: Buffer.from([0xce]), isLast: false },
        { opcode: opcodes.continuation },
      ],
      1007,
    ],
    ['a close of one byte', [{ opcode: opcodes.close, payload: 'x' }], 1002],
    ['a close with the code 1005', [{ opcode: opcodes.close, payload: Buffer.from([3, 237]) }], 1002],
    ['a close with the code 999', [{ opcode: opcodes.close, payload: Buffer.from([3, 231]) }], 1002],
    [
      'a close with a reason in invalid UTF-8',
      [{ opcode: opcodes.close, payload: Buffer.from([3, 232, 0xff]) }],
      1007,
    ],
  ])('protocol 10: closes the connection after %s', async (_, frames, code) => {
    const client = await openByteClient();
    client.write(...frames);
    expect(await client.closeCode()).toBe(code);
  });

  test.each([1000, 1001, 3000, 4999])(
    'protocol 10: answers a close with code %i with the same code',
    async (code) => {
      const client = await openByteClient();
      client.write({ opcode: opcodes.close, payload: Buffer.from([code >> 8, code & 255]) });
      expect(await client.closeCode()).toBe(code);
    },
  );
});

describe('floods', () => {
  test.each(['ping', 'pong'] as const)(
    'closes a connection that sends more than 60 %ss in ten seconds, and reads nothing more from it',
    async (kind) => {
      const client = await openByteClient();
      const flood = Buffer.concat(
        Array.from({ length: 10_000 }, () => encodeFrame({ opcode: opcodes[kind] })),
      );
      client.write(...Array.from({ length: 50 }, () => flood));
      expect(await client.closeCode()).toBe(4301);
      const count = (opcode: number) => client.frames().filter((frame) => frame.opcode === opcode).length;
      expect(count(opcodes.pong)).toBeLessThanOrEqual(65);
      // The handshake and five errors.
      expect(count(opcodes.text)).toBe(6);
    },
  );

  test('accepts 60 pings in ten seconds', async () => {
    const client = await openByteClient();
    client.write(...Array.from({ length: 60 }, () => ({ opcode: opcodes.ping })));
    client.write({ opcode: opcodes.text, payload: ping });
    await client.has(opcodes.text, 2);
  });

  test('closes a connection that sends a message in endless empty fragments', async () => {
    const client = await openByteClient();
    client.write({ opcode: opcodes.text, isLast: false });
    client.write(...Array.from({ length: 100 }, () => ({ opcode: opcodes.continuation, isLast: false })));
    expect(await client.closeCode()).toBe(1008);
  });
});

describe('malformed frames', () => {
  test.each([
    ['invalid JSON', '{'],
    ['an array', '[]'],
    ['a missing event', '{}'],
    ['an event that is not a string', '{"event":7}'],
    ['empty data', '{"event":"pusher:subscribe","data":""}'],
    ['data that is an array', '{"event":"pusher:subscribe","data":[]}'],
    ['4,000 nested arrays', `{"event":"pusher:subscribe","data":${'['.repeat(4_000)}${']'.repeat(4_000)}}`],
  ])('protocol 39: answers %s with an error and keeps the connection open', async (_, text) => {
    const client = await openRawClient(server);
    client.send(text);
    expect(await client.next('pusher:error')).toMatchObject({ data: { code: 4300 } });
    await client.processed();
  });

  test('protocol 39: closes with 1009 after more than 10 KB, fragmented or not', async () => {
    const fits = await openRawClient(server);
    fits.send(JSON.stringify({ event: 'x', data: 'x'.repeat(10_240 - 24) }));
    await fits.processed();
    fits.send(JSON.stringify({ event: 'x', data: 'x'.repeat(10_240) }));
    expect(await fits.closed).toBe(1009);
    const large = await openRawClient(server);
    large.send('x'.repeat(10_000_000));
    expect([1009, 1006]).toContain(await large.closed);
    const fragmented = await openByteClient();
    fragmented.write({ opcode: opcodes.text, payload: 'x'.repeat(6_000), isLast: false });
    fragmented.write({ opcode: opcodes.continuation, payload: 'x'.repeat(6_000), isLast: false });
    expect(await fragmented.closeCode()).toBe(1009);
  });

  test('protocol 39: the WebSocket server closes with 1003 after a binary message', async () => {
    const client = await openByteClient();
    client.write({ opcode: opcodes.binary, payload: ping });
    expect(await client.closeCode()).toBe(1003);
  });

  test.each([
    'pusher_internal:member_added',
    'pusher:error',
    'pusher:connection_established',
    'App\\Events\\Paid',
  ])('protocol 32: does not relay the server event %s from a client', async (event) => {
    const sender = await openRawClient(server);
    const other = await openRawClient(server);
    for (const client of [sender, other]) {
      client.subscribe('private-room');
      await client.next('pusher_internal:subscription_succeeded');
    }
    sender.send({ event, channel: 'private-room', data: { user_id: '7' } });
    await sender.processed();
    await other.processed();
    expect([...sender.inbox, ...other.inbox]).toEqual([]);
  });
});
