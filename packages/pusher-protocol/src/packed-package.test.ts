import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signChannel } from './auth/signatures.ts';
import { signHttpRequest } from './http-api/request-signatures.ts';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const root = join(packageFolder, '../..');
const folder = mkdtempSync(join(tmpdir(), 'pusher-protocol-'));
const app = { id: '42', key: 'key', secret: 'a secret of at least 16 characters' };
let server: ChildProcess;
let port: number;

/** Packs the package, installs the tarball in another folder without the network, and starts the README's server. */
beforeAll(async () => {
  const run = (command: string, args: string[], cwd: string) =>
    execFileSync(command, args, {
      cwd,
      stdio: 'pipe',
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
  run('npm', ['pack', '--pack-destination', folder], packageFolder);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  const resolve = createRequire(join(root, 'apps/server/package.json')).resolve;
  cpSync(dirname(resolve('ws/package.json')), join(folder, 'node_modules/ws'), { recursive: true });
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const [, code = ''] = /<!-- server\.mjs -->\n```js\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(folder, 'server.mjs'), code);
  server = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(server.stdout as NodeJS.ReadableStream), 'line')) as [string];
  port = Number(/port (\d+)/.exec(line)?.[1]);
});
afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const url = (path: string) => `http://127.0.0.1:${port}${path}`;

/** Signs a request as the server libraries do. The values in the URL must not contain `&`, `#` or spaces. */
function signedPath(method: string, path: string, parameters: Record<string, string> = {}, body = '') {
  const query = signHttpRequest(app, { method, path, parameters, body: Buffer.from(body) }, Date.now());
  return `${path}?${[...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join('&')}`;
}

async function expectToWork() {
  const response = await fetch(url(signedPath('GET', '/apps/42/connections')));
  expect(response.status).toBe(200);
}

/** Opens a client. Its received events are in `events`. */
async function openClient() {
  const { WebSocket } = createRequire(join(folder, 'package.json'))('ws') as typeof import('ws');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/key?protocol=7`);
  const events: { event: string; channel?: string; data: unknown; user_id?: string }[] = [];
  socket.on('message', (text) => events.push(JSON.parse(String(text))));
  await expect.poll(() => events.length).toBe(1);
  const { socket_id } = JSON.parse(String(events[0]?.data)) as { socket_id: string };
  return { socket, socketId: socket_id, events };
}

/** Opens a TCP connection, sends `text` and resets it. */
async function sendAndReset(text: string) {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(text, resolve));
  socket.resetAndDestroy();
}

describe('packed package', () => {
  test('exports built JavaScript with types, and nothing else', () => {
    const installed = join(folder, 'node_modules/@keyturn/pusher-protocol');
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /test|testing/.test(name))).toEqual([]);
    const consumer = join(folder, 'consumer.ts');
    writeFileSync(
      consumer,
      `import { createChannelRegistry, type Effect, publish } from '@keyturn/pusher-protocol';
      const registry = createChannelRegistry({ id: '1', key: 'key', secret: 'secret' });
      export const effects: Effect[] = publish(registry, { channels: ['status'], event: 'Changed', data: '{}' });
      // @ts-expect-error: an event needs channels
      publish(registry, { event: 'Changed', data: '{}' });`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023'];
    execFileSync(process.execPath, [tsc, ...options, consumer], { cwd: folder, stdio: 'inherit' });
  });

  test('the README’s server survives aborted requests and resets of refused upgrades', async () => {
    const head = 'Host: firm.example\r\n';
    for (let time = 0; time < 20; time++) {
      await sendAndReset(`POST /apps/42/events HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\nhalf`);
      await sendAndReset(
        `GET /app/key?protocol=7 HTTP/1.1\r\n${head}Origin: https://evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
    }
    await expectToWork();
    expect(server.exitCode).toBeNull();
  });

  test('the README’s server accepts a signed query with a second question mark', async () => {
    const path = signedPath('GET', '/apps/42/channels', { filter_by_prefix: 'a?b' });
    expect(path.split('?')).toHaveLength(3);
    expect((await fetch(url(path))).status).toBe(200);
  });

  test('the README’s server rejects a body above the limit with 413', async () => {
    const body = 'x'.repeat(2_000_000);
    const response = await fetch(url(signedPath('POST', '/apps/42/events', {}, body)), {
      method: 'POST',
      body,
    });
    expect(response.status).toBe(413);
    await expectToWork();
  });

  test('the README’s server authorises channels, and relays client events between members', async () => {
    const [sender, receiver] = [await openClient(), await openClient()];
    const authorise = (socketId: string, channel: string, token: string) =>
      fetch(url('/broadcasting/auth'), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: new URLSearchParams({ socket_id: socketId, channel_name: channel }),
      });
    for (const { socket, socketId, events } of [sender, receiver]) {
      const response = await authorise(socketId, 'presence-lobby', 'token-of-amelia');
      const data = { channel: 'presence-lobby', ...((await response.json()) as object) };
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data }));
      await expect.poll(() => events.at(-1)?.event).toBe('pusher_internal:subscription_succeeded');
    }
    sender.socket.send(
      JSON.stringify({ event: 'client-typing', channel: 'presence-lobby', data: { at: 1 } }),
    );
    await expect
      .poll(() => receiver.events.at(-1))
      .toEqual({ event: 'client-typing', channel: 'presence-lobby', data: '{"at":1}', user_id: '7' });
    const own = await authorise(sender.socketId, 'private-orders.7', 'token-of-amelia');
    expect(await own.json()).toEqual(signChannel(app, sender.socketId, 'private-orders.7'));
    expect((await authorise(sender.socketId, 'private-orders.8', 'token-of-amelia')).status).toBe(403);
    expect((await authorise(sender.socketId, 'private-orders.7', 'another')).status).toBe(401);
    for (const { socket } of [sender, receiver]) socket.terminate();
  });
});
