// @ts-check
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/set-up.mjs';

/* The baseline of bench/channel.mjs: `ws` and a loop, which sends the same bytes as the channel. */

const { WebSocketServer } = createRequire(join(root, 'apps/server/package.json'))('ws');
const http = createServer((request, response) => void publish(request, response));

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function publish(request, response) {
  const { batch } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  for (const { name, data, channel } of batch) {
    const frame = Buffer.from(JSON.stringify({ event: name, data, channel }));
    for (const socket of server.clients) socket.send(frame, { binary: false });
  }
  response.end('{}');
}
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
server.on(
  'connection',
  (/** @type {{ send(text: string): void, on(event: string, listener: () => void): void }} */ socket) => {
    socket.send('connection_established');
    socket.on('message', () => socket.send('subscription_succeeded'));
  },
);
http.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('open'));
process.on('disconnect', () => process.exit());
