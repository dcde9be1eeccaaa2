// @ts-check
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/set-up.mjs';

/* Clients of bench/channel.mjs: the address, how many, how many of them listen, and which process this is. */

const [address = '', count = '0', listening = '0', number = '0'] = process.argv.slice(2);
const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');

let heard = 0;
let wanted = Number.POSITIVE_INFINITY;
const settle = () => {
  if (heard < wanted) return;
  heard -= wanted;
  wanted = Number.POSITIVE_INFINITY;
  process.send?.('heard');
};
process.on('message', (messages) => {
  wanted = Number(messages) * Number(listening);
  settle();
});
process.on('disconnect', () => process.exit());

for (let from = 0; from < Number(count); from += 50) {
  const together = Math.min(50, Number(count) - from);
  await Promise.all(Array.from({ length: together }, (_, at) => open(from + at)));
}
process.send?.('open');

/** @param {number} at */
function open(at) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      headers: { 'x-forwarded-for': `10.${number}.${Math.floor(at / 50)}.1` },
    });
    const ready = () => resolve(undefined);
    socket.on('error', reject);
    socket.on('message', (/** @type {Buffer} */ bytes) => {
      // Little is done here: it is the server that is measured.
      if (bytes.includes('App')) {
        heard++;
        settle();
      } else if (bytes.includes('pusher:ping')) socket.send('{"event":"pusher:pong"}');
      else if (bytes.includes('connection_established')) {
        if (at >= Number(listening)) ready();
        else socket.send('{"event":"pusher:subscribe","data":{"channel":"bench"}}');
      } else if (bytes.includes('subscription_succeeded')) ready();
    });
  });
}
