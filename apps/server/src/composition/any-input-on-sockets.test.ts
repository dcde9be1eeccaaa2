import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import type { InputKind } from '../testing/any-input/input-plan.ts';
import { withInputServer } from '../testing/any-input/input-server.ts';
import { exchangeBytes } from '../testing/any-input/raw-connection.ts';
import { encodeRequest, toHttpParts } from '../testing/any-input/raw-requests.ts';
import { sendInputs } from '../testing/any-input/send-inputs.ts';
import { nextAddress } from '../testing/any-input/sender-addresses.ts';
import { anyFrames, encodeFrames } from '../testing/any-input/sockets-and-files/any-frames.ts';
import {
  anyPublishedEvents,
  toSignedParts,
} from '../testing/any-input/sockets-and-files/any-published-events.ts';
import { openRawClient, testApp } from '../testing/real-time/channel-test-clients.ts';
import { decodeFrames, type FrameParts, opcodes } from '../testing/real-time/websocket-frames.ts';

const server = withInputServer();
const portOf = () => Number(new URL(server.url).port);

/** Opens a WebSocket, sends bytes and ends the connection. @returns the messages of the server */
function exchangeFrames(frames: FrameParts[] | Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(), '127.0.0.1');
    let received = Buffer.alloc(0);
    let hasSent = false;
    const messages = () => {
      const start = received.indexOf('\r\n\r\n') + 4;
      const decoded = start < 4 ? [] : decodeFrames(received.subarray(start));
      return decoded.filter(({ opcode }) => opcode === opcodes.text).map(({ payload }) => String(payload));
    };
    socket.on('error', () => {});
    socket.on('close', () => (hasSent ? resolve(messages()) : reject(new Error(`rejected: ${received}`))));
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      const [, socketId] = /"socket_id\\":\\"([\d.]+)/.exec(messages()[0] ?? '') ?? [];
      if (hasSent || socketId === undefined) return;
      hasSent = true;
      try {
        socket.end(encodeFrames(frames, { socketId, resolve: server.records.resolve }));
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    socket.write(
      `GET /app/${testApp.key}?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `X-Forwarded-For: ${nextAddress()}\r\n\r\n`,
    );
  });
}

async function sendFrames(frames: FrameParts[] | Buffer): Promise<string[]> {
  const messages = await exchangeFrames(frames);
  const unreadable = messages.filter((text) => typeof JSON.parse(text).event !== 'string');
  const answer = { status: 101, headers: {}, body: messages.join('\n') };
  const route = { path: '/app', errors: undefined };
  return [
    ...unreadable,
    ...(await server.judge(answer, route, { method: 'GET', url: '/app', sender: 'no one' })),
  ];
}

async function publish(event: Parameters<typeof toSignedParts>[0]): Promise<string[]> {
  const signed = toSignedParts(event);
  const parts = { ...toHttpParts(signed), headers: [['host', 'x']] as [string, string][] };
  const options = { isIncomplete: false, isHead: false };
  const answer = await exchangeBytes(portOf(), encodeRequest(parts), options);
  if (!answer) return ['no answer'];
  return server.judge(
    answer,
    { path: '/apps', errors: undefined },
    { method: 'GET', url: signed.url, sender: 'no one' },
  );
}

/**
 * Sends inputs while another connection is open.
 * @returns the messages that it has received, apart from the answers to its pings
 */
async function besideConnection<Input>(
  inputs: Arbitrary<Input>,
  { kind, send }: { kind: InputKind; send(input: Input): Promise<string[]> },
): Promise<unknown[]> {
  const address = `${server.url.replace('http', 'ws')}/app/${testApp.key}?protocol=7`;
  const other = await openRawClient({ app: testApp, address });
  // The server closes connections without a channel.
  other.subscribe('status');
  await other.next('pusher_internal:subscription_succeeded', 'status');
  let checkedAt = 0;
  const sendAndCheck = async (input: Input) => {
    const faults = await send(input);
    // More often would exceed its limit of messages.
    if (performance.now() - checkedAt > 1_000) {
      await other.processed();
      checkedAt = performance.now();
    }
    return faults;
  };
  await server.whileClientReads(sendInputs(inputs, { kind, send: sendAndCheck }));
  await other.processed();
  other.socket.terminate();
  return other.inbox;
}

test('fault 58: any frames on a socket change nothing, and harm no other connection', async () => {
  expect(await besideConnection(anyFrames, { kind: 'frames', send: sendFrames })).toEqual([]);
});

test('fault 58: any signed event is answered without a 5xx or internal details, and harms no connection', async () => {
  await besideConnection(anyPublishedEvents, { kind: 'events', send: publish });
});
