// @ts-check
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

/* Sends hostile requests at a constant rate: node hostile-requests.mjs URL TOKEN COUNT PER_SECOND */

const [, , url = '', token = '', count = '0', perSecond = '0'] = process.argv;

const texts = [
  '4 ',
  '4539148803436467 ',
  '4---',
  '４ ',
  '\uFDFA',
  'a@a.',
  '4 9 2 9 ',
  'a1b2c3d4-',
  '?token',
  'a.',
];
/**
 * @param {string} part
 * @param {number} size characters
 */
const repeat = (part, size) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
/** @param {string} part */
const inPath = (part) => repeat(encodeURI(part), 15_000).replace(/%.?$/, '');
/** @param {string} part */
const inHeader = (part) => repeat(part.replaceAll(/[^\x20-\x7e]/g, '4'), 15_000);

const json = { 'content-type': 'application/json' };
const authorization = `Bearer ${token}`;
const needsCookie = `Bearer kt_half_${'a'.repeat(38)}`;
/** @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} Hostile */
/** @type {((text: string) => Hostile)[]} */
const kinds = [
  // Bodies of 4 to 98 KB. `__proto_` is almost the name that the parser looks for.
  (text) => post('/api/login', { email: body(text, 98_000), password: 'x' }),
  (text) => post('/api/login', { email: 'a@example.test', [body(text, 90_000)]: 1 }),
  (text) => post('/api/login', { email: Array.from({ length: 12_000 }, () => text) }),
  (text) => post('/api/password/reset', { token: body(text, 98_000), password: 'x' }),
  (text) =>
    post('/api/other-payments', {
      category: 'other',
      amount: 1,
      own_card: true,
      reference: body(text, 90_000),
    }),
  () => ({ method: 'POST', path: '/api/login', headers: json, body: '['.repeat(90_000) }),
  () => ({
    method: 'POST',
    path: '/api/login',
    headers: json,
    body: `{"a":[${'{"__proto_":1},'.repeat(6_000)}1]}`,
  }),
  (text) => ({ method: 'POST', path: '/api/webhooks/sandbox', body: body(text, 60_000) }),
  (text) => ({
    method: 'POST',
    path: '/broadcasting/auth',
    headers: { authorization },
    body: body(text, 4_000),
  }),
  // Paths and queries.
  (text) => ({ path: `/${inPath(text)}` }),
  (text) => ({ path: `/api/${inPath(text)}` }),
  (text) => ({ path: `/api/documents/${inPath(text)}`, headers: { authorization } }),
  (text) => ({ path: `/documents/sale/${inPath(text)}` }),
  (text) => ({ path: `/assets/${inPath(text)}.js` }),
  (text) => ({ path: `/%zz${inPath(text)}` }),
  (text) => ({ path: `/api/case-history?cursor=${inPath(text)}`, headers: { authorization } }),
  // Headers.
  (text) => ({ path: '/api/client', headers: { authorization: `Bearer ${inHeader(text)}` } }),
  (text) => ({ path: '/', headers: { 'accept-encoding': inHeader(text), 'if-none-match': '"x"' } }),
  (text) => ({ path: '/', headers: { 'if-none-match': inHeader(text) } }),
  (text) => ({ path: '/api/client', headers: { cookie: inHeader(text), authorization: needsCookie } }),
  (text) => ({
    ...post('/api/other-payments', {}),
    headers: { ...json, authorization, 'idempotency-key': inHeader(text) },
  }),
  () => ({
    path: '/api/documents/x/content',
    headers: { authorization, range: `bytes=${'0-1,'.repeat(3_500)}` },
  }),
];

/**
 * @param {string} text
 * @param {number} bytes
 */
const body = (text, bytes) => repeat(text, Math.floor((bytes * text.length) / Buffer.byteLength(text)));
/**
 * @param {string} path
 * @param {object} content
 */
function post(path, content) {
  return { method: 'POST', path, headers: { ...json, authorization }, body: JSON.stringify(content) };
}

// Created once, so that the attackers cost this machine little.
const prepared = kinds.flatMap((kind) => texts.map((text) => kind(text)));

const target = new URL(url);
/** Sends bytes on a separate connection. @param {string} bytes @param {number} patience milliseconds until it breaks off */
function sendBytes(bytes, patience) {
  const socket = connect(Number(target.port), target.hostname);
  let status = 'connection closed';
  socket.on('error', () => {});
  socket.on('data', (part) => {
    status = /^HTTP\/1\.1 (\d{3})/.exec(part.toString('latin1'))?.[1] ?? status;
  });
  socket.on('close', () => onAnswer(status));
  socket.write(bytes);
  setTimeout(() => socket.destroy(), patience);
}

const head = (/** @type {string} */ line) =>
  `${line} HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: ${authorization}\r\n`;
/** @type {(() => void)[]} */
const connections = [
  // Pipelined, by a sender who reads nothing and leaves.
  () => sendBytes(`${head('GET /')}\r\n`.repeat(8), 50),
  () => sendBytes(`${head('GET /api/case-history')}\r\n`.repeat(8), 50),
  // More than the server allows.
  () => sendBytes(`${head('GET /api/client')}\r\n`.repeat(500), 1_000),
  // Slow: headers or a body that never arrive completely.
  () => sendBytes(head('GET /api/client'), 20_000),
  () =>
    sendBytes(
      `${head('POST /api/login')}Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n{`,
      20_000,
    ),
  // Large.
  () => sendBytes(`${head('POST /api/login')}Content-Length: 900000000\r\n\r\n${'x'.repeat(200_000)}`, 1_000),
  () => sendBytes(`${head('GET /')}X-Long: ${'x'.repeat(200_000)}\r\n\r\n`, 1_000),
  // Malformed.
  () => sendBytes('\0\x01\x16\x03\x01nonsense\r\n\r\n', 1_000),
  () =>
    sendBytes(
      `${head('POST /api/login')}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n`,
      1_000,
    ),
];
/** One of so many requests is such a connection. */
const connectionEvery = 10;

const agent = new Agent({ keepAlive: true, maxSockets: 100 });
/** @type {Record<string, number>} */
const statuses = {};
const started = performance.now();
let sent = 0;
let answered = 0;

/** @param {string} status */
function onAnswer(status) {
  statuses[status] = (statuses[status] ?? 0) + 1;
  answered += 1;
  if (answered < Number(count)) return;
  process.send?.({ sent, seconds: (performance.now() - started) / 1_000, statuses });
  agent.destroy();
  process.disconnect?.();
}

function sendNext() {
  const hostile = prepared[(sent * 7) % prepared.length];
  if (!hostile) return;
  sent += 1;
  if (sent % connectionEvery === 0) {
    connections[(sent / connectionEvery) % connections.length]?.();
    return;
  }
  // Each request has a different address, so that no limit by address protects the client.
  const address = `10.${sent % 250}.${Math.floor(sent / 250) % 250}.${sent % 7}`;
  const outgoing = request(url + hostile.path, {
    agent,
    method: hostile.method ?? 'GET',
    headers: { ...hostile.headers, 'x-forwarded-for': address },
  });
  outgoing.on('response', (response) => {
    response.resume();
    response.on('close', () => onAnswer(String(response.statusCode)));
  });
  outgoing.on('error', () => onAnswer('connection closed'));
  outgoing.end(hostile.body);
}

const timer = setInterval(() => {
  const due = Math.min(Number(count), ((performance.now() - started) / 1_000) * Number(perSecond));
  while (sent < due) sendNext();
  if (sent >= Number(count)) clearInterval(timer);
}, 20);
