// @ts-check
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/set-up.mjs';

/* Clients of bench/channel.mjs. Arguments: URL, number of clients, number of this process, channel to subscribe to. */

const [address = '', count = '0', number = '0', channel = ''] = process.argv.slice(2);
const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
const subscribing = JSON.stringify({ event: 'pusher:subscribe', data: { channel } });

let received = 0;
let expected = Number.POSITIVE_INFINITY;
const report = () => {
  if (received < expected) return;
  received -= expected;
  expected = Number.POSITIVE_INFINITY;
  process.send?.('received');
};
/** The number of messages that every client must receive; a negative number resets the counts. */
process.on('message', (messages) => {
  if (Number(messages) < 0) received = 0;
  else expected = Number(messages) * Number(count);
  report();
});
process.on('disconnect', () => process.exit());

for (let start = 0; start < Number(count); start += 50) {
  const batchSize = Math.min(50, Number(count) - start);
  await Promise.all(Array.from({ length: batchSize }, (_, index) => open(start + index)));
}
process.send?.('open');

/** @param {number} index */
function open(index) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      // Clients use different addresses, because each address may open only 100 connections.
      headers: { 'x-forwarded-for': `10.${number}.${Math.floor(index / 50)}.1` },
    });
    const ready = () => resolve(undefined);
    socket.on('error', reject);
    socket.on('message', (/** @type {Buffer} */ bytes) => {
      // Does little work, because only the server is measured.
      if (bytes.includes('App')) {
        received++;
        report();
      } else if (bytes.includes('pusher:ping')) socket.send('{"event":"pusher:pong"}');
      else if (bytes.includes('connection_established')) {
        if (channel === '') ready();
        else socket.send(subscribing);
      } else if (bytes.includes('subscription_succeeded')) ready();
    });
  });
}
