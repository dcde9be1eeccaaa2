import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureCertificate } from '../../testing/fixture-certificate.ts';
import { createMessageSender, type SenderOptions } from './create-message-sender.ts';
import { createTargetResolver } from './resolve-target.ts';

let requests: (Pick<http.IncomingMessage, 'method' | 'url' | 'headers'> & { address: string | undefined })[] =
  [];
const answer: http.RequestListener = (request, response) => {
  const { method, url, headers, socket } = request;
  requests.push({ method, url, headers, address: socket.localAddress });
  if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
  else if (request.url === '/endless') {
    response.writeHead(200);
    const timer = setInterval(() => response.write('a'.repeat(16_384)), 1);
    response.on('close', () => clearInterval(timer));
  } else if (request.url === '/broken') {
    response.writeHead(200, { 'content-length': '10' }).write('a');
    setImmediate(() => response.destroy());
  } else if (request.url === '/upgrade') {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  } else if (request.url === '/hang-up') socket.destroy();
  else if (request.url !== '/silent') response.writeHead(204).end();
};
const plain = http.createServer(answer);
const secure = https.createServer(fixtureCertificate, answer);
const countConnections = promisify(plain.getConnections.bind(plain));
const portOf = (server: http.Server) => (server.address() as AddressInfo).port;
beforeAll(async () => {
  for (const server of [plain, secure])
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});

const local: SenderOptions = { resolve: async () => ['127.0.0.1'], allowsPrivate: true, allowsHttp: true };
const send = (url: string, options: Partial<SenderOptions> = {}, signal = new AbortController().signal) => {
  requests = [];
  return createMessageSender({ ...local, ...options })(
    { url, headers: { 'webhook-id': 'evt_1' }, body: '{}' },
    signal,
  );
};
const plainUrl = (path = '/') => `http://receiver.example.test:${portOf(plain)}${path}`;
const secureUrl = () => `https://receiver.example.test:${portOf(secure)}/`;

describe('a webhook message', () => {
  test('a webhook message is posted with its headers to the address that its host name resolved to', async () => {
    expect(await send(plainUrl('/hook?key=1'))).toEqual({ status: 204, error: null });
    expect(requests).toMatchObject([
      { method: 'POST', url: '/hook?key=1', headers: { 'webhook-id': 'evt_1', 'content-length': '2' } },
    ]);
    expect(requests[0]?.headers.host).toBe(`receiver.example.test:${portOf(plain)}`);
  });

  test('a webhook message follows no redirect: the redirect’s status counts as the response', async () => {
    expect(await send(plainUrl('/moved'))).toEqual({ status: 302, error: null });
    expect(requests).toHaveLength(1);
  });

  test('a webhook message counts as answered by the status, even if the body never ends or is incomplete', async () => {
    expect(await send(plainUrl('/endless'))).toEqual({ status: 200, error: null });
    expect(await send(plainUrl('/broken'))).toEqual({ status: 200, error: null });
  });

  test('a webhook message fails if the receiver switches protocols or closes the connection without a response', async () => {
    expect(await send(plainUrl('/upgrade'))).toEqual({ status: 101, error: null });
    await expect.poll(() => countConnections()).toBe(0);
    expect(await send(plainUrl('/hang-up'))).toEqual({
      status: null,
      error: expect.stringMatching(/hang up|ECONNRESET/),
    });
  });

  test('a webhook message fails after the timeout of an attempt', async () => {
    const answered = await send(plainUrl('/silent'), { timeout: 100 });
    expect(answered).toEqual({ status: null, error: 'no answer within 0.1 seconds' });
    const unresolved = await send(plainUrl(), { timeout: 100, resolve: () => new Promise(() => {}) });
    expect(unresolved).toEqual(answered);
  });

  test('a webhook message is aborted when the server stops', async () => {
    const stopping = new AbortController();
    const sending = send(plainUrl('/silent'), {}, stopping.signal);
    await expect.poll(() => requests.length).toBe(1);
    stopping.abort();
    expect(await sending).toMatchObject({ status: null });
  });

  test('a webhook message fails with a reason if the connection is refused or the host name has no address', async () => {
    const free = http.createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => free.once('listening', listening));
    const { port } = free.address() as AddressInfo;
    await new Promise((closed) => free.close(closed));
    const url = `http://receiver.example.test:${port}/`;
    expect(await send(url)).toMatchObject({ error: expect.stringContaining('ECONNREFUSED') });
    const twoAddresses = await send(url, { resolve: async () => ['127.0.0.1', '::1'] });
    expect(twoAddresses).toMatchObject({ error: expect.stringContaining('ECONNREFUSED') });
    const unknown = await send(url, { resolve: () => Promise.reject(new Error('queryA ENOTFOUND')) });
    expect(unknown).toEqual({ status: null, error: 'queryA ENOTFOUND' });
  });
});

describe('the target of a webhook message', () => {
  test.each([
    ['10.0.0.7'],
    ['93.184.216.34', '169.254.169.254'],
    ['::ffff:127.0.0.1'],
    ['2606:4700::6810:84e5', 'fd00:ec2::254'],
  ])('a webhook target is rejected if its host name resolves to %s %s', async (...addresses) => {
    const answered = await send(secureUrl(), {
      resolve: async () => addresses,
      allowsPrivate: false,
      ca: fixtureCertificate.cert,
    });
    const refused = addresses.at(-1);
    expect(answered.error).toBe(`receiver.example.test has the private address ${refused}`);
    expect(requests).toEqual([]);
  });

  test('a webhook target is rejected if it is a private address itself, regardless of the resolver', async () => {
    const options = { resolve: createTargetResolver(), allowsPrivate: false };
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433']) {
      const answered = await send(`http://${host}:${portOf(plain)}/`, options);
      expect(answered.error, host).toContain('private address');
    }
    expect(requests).toEqual([]);
  });

  test('a webhook target is resolved once, and the connection uses the checked address', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const answered = await send(plainUrl(), { resolve: async () => answers.shift() ?? [] });
    expect(answered.status).toBe(204);
    expect(answers).toEqual([['127.0.0.2']]);
    expect(requests[0]?.address).toBe('127.0.0.1');
  });

  test('a webhook target must have a certificate for its host name from a trusted authority', async () => {
    expect(await send(secureUrl())).toMatchObject({ error: expect.stringContaining('self-signed') });
    const trusted = { ca: fixtureCertificate.cert };
    const otherName = secureUrl().replace('receiver', 'other');
    expect(await send(otherName, trusted)).toMatchObject({
      error: expect.stringContaining('does not match'),
    });
    expect(requests).toEqual([]);
    expect(await send(secureUrl(), trusted)).toEqual({ status: 204, error: null });
  });

  test('a webhook target must use https unless the settings allow http', async () => {
    const answered = await send(plainUrl(), { allowsHttp: false });
    expect(answered).toEqual({ status: null, error: 'the address does not start with https' });
    expect(requests).toEqual([]);
  });
});
