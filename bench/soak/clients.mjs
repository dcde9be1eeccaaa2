// @ts-check
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sendToFeed, workAtDesk } from '../../e2e/rolling/office-work.mjs';
import { root } from '../../scripts/set-up.mjs';

/*
 * The clients and the office of bench/soak.mjs. Clients read, sign in and out, download and sign documents, start and cancel
 * payments, and open and close real-time connections; a member of staff works at the desk, and the feed changes a case, until the
 * process is stopped. Each message is answered with the numbers so far.
 */

const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
const [url = '', socketUrl = '', json = ''] = process.argv.slice(2);
/** @type {{ tokens: string[], office: import('../../e2e/rolling/office-work.mjs').Office }} */
const { tokens, office } = JSON.parse(json);
const demonstration = { email: 'amelia@example.test', password: 'turn-the-key-2026' };

/** The interval of each activity, in milliseconds. */
const activities = [
  { every: 25, work: read },
  { every: 2_000, work: downloadSignedIn },
  { every: 1_000, work: payAndCancel },
  { every: 200, work: openAndClose },
  { every: 5_000, work: shareAndSign },
  { every: 2_000, work: changeByFeed },
];
const paths = [
  '/client',
  '/case-searches',
  '/milestones',
  '/case-history?limit=5',
  '/documents',
  '/payments',
];
const done = { requests: 0, connections: 0, signed: 0, feedChanges: 0, failed: /** @type {string[]} */ ([]) };

process.on('disconnect', () => process.exit());
process.on('message', () => process.send?.(done));
for (const activity of activities) void repeat(activity);
process.send?.('started');

/** @param {{ every: number, work(token: string): Promise<void> }} activity */
async function repeat({ every, work }) {
  for (let number = 0; ; number++) {
    const token = tokens[number % tokens.length] ?? '';
    const [result] = await Promise.allSettled([work(token), pause(every)]);
    if (result.status === 'rejected') done.failed.push(String(result.reason));
  }
}

/** @param {string} token */
async function read(token) {
  await send('GET', paths[done.requests % paths.length] ?? '', { token });
}

/** Signs in as a client of the demonstration, because the copied cases have no files. */
async function downloadSignedIn() {
  const { data } = await send('POST', '/login', { body: demonstration });
  const token = data.access_token;
  const documents = await send('GET', '/documents', { token });
  await send('GET', `/documents/${documents.data[0].id}/content`, { token });
  await send('POST', '/logout', { token });
}

/** A member of staff reads the desk and uploads a document, which a client then signs. */
async function shareAndSign() {
  const id = await workAtDesk(url, office);
  const { data: session } = await send('POST', '/login', { body: demonstration });
  const token = session.access_token;
  const { data: document } = await send('GET', `/documents/${id}`, { token });
  await send('POST', `/documents/${id}/read`, { token });
  const { consent } = document.signature;
  const body = { name: 'Amelia Okafor', consent, sha256: document.sha256 };
  await send('POST', `/documents/${id}/signature`, { token, body });
  await send('POST', '/logout', { token });
  done.signed++;
}

async function changeByFeed() {
  await sendToFeed(url, office);
  done.feedChanges++;
}

/** @param {string} token */
async function payAndCancel(token) {
  const body = { category: 'money_on_account', amount: 10_000, own_card: true, method: 'card' };
  const { data } = await send('POST', '/other-payments', { token, body, key: randomUUID() });
  await send('POST', `/payments/${data.payment_id}/cancel`, { token });
}

/** @returns {Promise<void>} */
function openAndClose() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketUrl, { perMessageDeflate: false });
    socket.on('message', () => socket.close());
    socket.on('error', reject);
    socket.on('close', () => {
      done.connections++;
      resolve();
    });
  });
}

/**
 * @param {string} method @param {string} path
 * @param {{ token?: string, body?: object, key?: string }} [parts]
 * @returns {Promise<any>} the answer’s JSON, or null
 * @throws Error if the status is not a success
 */
async function send(method, path, { token, body, key } = {}) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  done.requests++;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
}
