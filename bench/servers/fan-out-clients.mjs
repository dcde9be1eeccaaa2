// @ts-check
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/set-up.mjs';
import { app } from '../channel-processes.mjs';

/*
 * The connections of bench/servers/fan-out.mjs. Messages: `{ open, caseIds }` opens one for each case on each server;
 * `{ expect, count }` starts to collect events; `{ wait }` is answered with when each has arrived.
 */

const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
/** Milliseconds after which missing events are reported. */
const timeout = 30_000;

let expected = 'nothing';
let count = 0;
/** Nanoseconds of the clock that all processes share. @type {bigint[]} */
let arrived = [];
let report = () => {};

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {any} */ message) => {
  if (message.open) void openAll(message.open, message.caseIds);
  else if (message.expect) {
    expected = `${message.expect}"`;
    count = message.count;
    arrived = [];
    process.send?.('ready');
  } else {
    const answer = () => {
      report = () => {};
      clearTimeout(timer);
      process.send?.({ times: arrived.map(String) });
    };
    const timer = setTimeout(answer, timeout);
    report = answer;
    if (arrived.length >= count) answer();
  }
});
process.send?.('started');

/** @param {string[]} urls @param {string[]} caseIds */
async function openAll(urls, caseIds) {
  for (const [server, url] of urls.entries()) {
    for (let start = 0; start < caseIds.length; start += 50)
      await Promise.all(
        caseIds.slice(start, start + 50).map((caseId, index) => open(url, caseId, server, start + index)),
      );
  }
  process.send?.('open');
}

/**
 * Resolves once the connection is subscribed to its case and to the events for everyone.
 * @param {string} url @param {string} caseId @param {number} server @param {number} number
 */
function open(url, caseId, server, number) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      // Clients use different addresses, because each address may open only 100 connections.
      headers: { 'x-forwarded-for': `10.${server}.${Math.floor(number / 50)}.1` },
    });
    let subscriptions = 0;
    const subscribe = (/** @type {object} */ data) =>
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data }));
    socket.on('error', reject);
    socket.on('message', (/** @type {Buffer} */ bytes) => {
      if (bytes.includes(expected)) {
        arrived.push(process.hrtime.bigint());
        if (arrived.length >= count) report();
      } else if (bytes.includes('pusher:ping')) socket.send('{"event":"pusher:pong"}');
      else if (bytes.includes('connection_established')) {
        const socketId = JSON.parse(JSON.parse(String(bytes)).data).socket_id;
        const channel = `private-case.${caseId}`;
        subscribe({ channel, auth: sign(socketId, channel) });
        subscribe({ channel: 'status', auth: '' });
      } else if (bytes.includes('subscription_succeeded') && ++subscriptions === 2) resolve(undefined);
    });
  });
}

/** @param {string} socketId @param {string} channel */
function sign(socketId, channel) {
  return `${app.key}:${createHmac('sha256', app.secret).update(`${socketId}:${channel}`).digest('hex')}`;
}
