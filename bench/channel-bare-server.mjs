// @ts-check
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/set-up.mjs';

/*
 * The baseline of bench/channel.mjs: `node:http`, `ws` and a loop, which sends the same bytes as the channel. It checks
 * no signature, no channel name and no limit, and has no other servers.
 */

const { WebSocketServer } = createRequire(join(root, 'apps/server/package.json'))('ws');
/** @type {Map<string, Set<{ send(data: string | Buffer, options?: object): void }>>} */
const subscribers = new Map();
const http = createServer((request, response) => void publish(request, response));

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function publish(request, response) {
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { name, data, channel } = JSON.parse(Buffer.concat(chunks).toString());
  const frame = Buffer.from(JSON.stringify({ event: name, data, channel }));
  for (const socket of subscribers.get(channel) ?? []) socket.send(frame, { binary: false });
  response.end('{}');
}
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
server.on(
  'connection',
  (/** @type {import('node:events').EventEmitter & { send(text: string): void }} */ socket) => {
    socket.send('connection_established');
    socket.on('message', (bytes) => {
      const { channel } = JSON.parse(String(bytes)).data;
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(socket));
      socket.on('close', () => subscribers.get(channel)?.delete(socket));
      socket.send('subscription_succeeded');
    });
  },
);
http.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('open'));
process.on('disconnect', () => process.exit());
