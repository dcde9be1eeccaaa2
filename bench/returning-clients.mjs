// @ts-check
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/set-up.mjs';

/*
 * The clients of bench/returning-crowd.mjs. Each behaves like a dashboard on the home screen: it connects as pusher-js
 * does, authorises its channels in one request, subscribes, and fetches its data again when the server asks for it.
 * Message `{ urls, clients }` opens them all; the first URL is the server that is used until it does not answer.
 */

const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
/** The calls that fill the home screen. */
const reads = ['/api/client', '/api/case-searches', '/api/milestones', '/api/case-history?limit=5'];
/**
 * The delays, in milliseconds, after which pusher-js reconnects when it has lost a connection, and after a failed
 * attempt.
 */
const pauses = { afterLoss: 1_000, afterFailure: 15_000 };
/** The time for which the dashboard collects changes before it fetches them, in milliseconds. */
const batchWindow = 150;

/** @type {{ url: string, key: string }[]} */
let servers = [];
const totals = { live: 0, closed: 0, failed: /** @type {string[]} */ ([]) };
/** Milliseconds of each client since `lostAt`. @type {{ live: number[], fetched: number[] }} */
const times = { live: [], fetched: [] };
let lostAt = 0;
/** Number of events that each client has received. @type {number[]} */
const received = [];

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {any} */ message) => {
  if (message.clients) void openAll(message);
  else if (message === 'lose') {
    servers = servers.slice(1);
    Object.assign(totals, { closed: 0 });
    times.live = [];
    times.fetched = [];
    lostAt = performance.now();
    process.send?.('ready');
  } else if (message === 'report') process.send?.({ ...totals, times, received });
});
process.send?.('started');

/** @param {{ servers: typeof servers, clients: { token: string, clientId: string, caseId: string }[] }} message */
async function openAll(message) {
  servers = message.servers;
  for (let start = 0; start < message.clients.length; start += 50) {
    await Promise.all(
      message.clients.slice(start, start + 50).map((client, index) => open(client, start + index)),
    );
  }
  process.send?.('open');
}

/**
 * Opens a client, which returns whenever it loses its connection.
 * @param {{ token: string, clientId: string, caseId: string }} client
 * @param {number} number
 * @returns {Promise<void>} once it is live
 */
function open({ token, clientId, caseId }, number) {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const headers = {
    authorization: `Bearer ${token}`,
    'x-forwarded-for': address,
    'x-activity': 'background',
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const required = [`private-client.${clientId}`, `private-case.${caseId}`];
  const channels = [...required, `presence-case.${caseId}`];
  received[number] = 0;

  /** @param {string} method @param {string} path @param {string} [body] */
  const send = async (method, path, body) => {
    const answer = await sendRequest(agent, method, `${servers[0]?.url}${path}`, headers, body);
    if (answer.status !== 200) totals.failed.push(`${method} ${path}: ${answer.status}`);
    return answer;
  };
  return new Promise((resolve) => {
    const fetchAgain = async () => {
      await Promise.all(reads.map((path) => send('GET', path)));
      times.fetched.push(performance.now() - lostAt);
    };
    const connect = () => {
      const { url, key } = servers[0] ?? { url: '', key: '' };
      const socket = new WebSocket(`${url.replace('http', 'ws')}/app/${key}?protocol=7`, {
        perMessageDeflate: false,
        headers: { 'x-forwarded-for': address },
      });
      const waiting = new Set(required);
      let isEstablished = false;
      let within = 0;
      const subscribe = (/** @type {object} */ data) =>
        socket.send(JSON.stringify({ event: 'pusher:subscribe', data }));
      const authorise = async (/** @type {string} */ socketId) => {
        const body = JSON.stringify({ socket_id: socketId, channel_name: channels });
        const answer = await send('POST', '/broadcasting/auth', body);
        within = Number(answer.headers['x-refetch-within'] ?? 0);
        const { channels: signed = {} } = JSON.parse(answer.body || '{}');
        for (const channel of channels) {
          const { auth, channel_data } = signed[channel] ?? {};
          if (socket.readyState === WebSocket.OPEN) subscribe({ channel, auth, channel_data });
        }
      };
      socket.on('message', (/** @type {Buffer} */ bytes) => {
        const { event, channel, data } = JSON.parse(String(bytes));
        if (event === 'pusher:connection_established') {
          isEstablished = true;
          subscribe({ channel: 'status', auth: '' });
          void authorise(JSON.parse(data).socket_id);
        } else if (event === 'pusher_internal:subscription_succeeded') {
          if (!waiting.delete(channel) || waiting.size > 0) return;
          totals.live++;
          times.live.push(performance.now() - lostAt);
          if (lostAt > 0) setTimeout(() => void fetchAgain(), Math.random() * within + batchWindow);
          resolve();
        } else if (event === 'pusher:ping') socket.send('{"event":"pusher:pong","data":{}}');
        else if (event.endsWith('CaseUpdated') && channel === required[1])
          received[number] = (received[number] ?? 0) + 1;
        else if (event === 'pusher:error' || event === 'pusher:subscription_error')
          totals.failed.push(String(bytes));
      });
      socket.on('error', (/** @type {Error} */ error) => {
        if (!isEstablished) totals.failed.push(`connection: ${error.message}`);
      });
      socket.on('close', () => {
        totals.closed++;
        if (waiting.size === 0) totals.live--;
        setTimeout(connect, isEstablished ? pauses.afterLoss : pauses.afterFailure);
      });
    };
    connect();
  });
}

/**
 * @param {Agent} agent @param {string} method @param {string} url
 * @param {import('node:http').OutgoingHttpHeaders} headers @param {string} [body]
 * @returns {Promise<{ status: number | string, body: string, headers: import('node:http').IncomingHttpHeaders }>}
 *   with the code of an error as the status
 */
function sendRequest(agent, method, url, headers, body) {
  return new Promise((resolve) => {
    const length =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
      );
      response.on('error', (error) => resolve({ status: error.message, body: '', headers: {} }));
    });
    sent.on('error', (error) => resolve({ status: error.message, body: '', headers: {} }));
    sent.end(body);
  });
}
