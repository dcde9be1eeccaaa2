import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { allowSlowArrival, limitArrival } from './limit-arrival.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves requests that may take 200 ms; those to `/upload` have to arrive with 100 bytes a second after that. */
async function serve() {
  server = createServer((request, response) => {
    limitArrival(request, response, 200);
    if (request.url === '/upload')
      allowSlowArrival(request, response, { grace: 200, bytesPerSecond: 100, checkEvery: 20 });
    request.resume();
    request.once('end', () => response.end(`received`));
  });
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  /** Sends 40 parts with a pause after each. @returns what the server answers until it closes the connection */
  return (path: string, part: string) =>
    new Promise<string>((done) => {
      let [sent, answer] = [0, ''];
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${40 * part.length}\r\n\r\n`,
        ),
      );
      const timer = setInterval(() => {
        if (sent < 40) socket.write(part);
        sent += 1;
      }, 20);
      socket.on('data', (data) => (answer += String(data)));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        done(answer);
      });
    });
}

test('fault 65: a request is aborted if its body takes longer than the limit, even if it makes progress', async () => {
  const send = await serve();
  expect(await send('/', 'a'.repeat(100))).toMatch(/^HTTP\/1.1 408/);
});

test('an upload may take longer than the limit while it makes progress, and is aborted when it is too slow', async () => {
  const send = await serve();
  expect(await send('/upload', 'a'.repeat(100))).toMatch(/^HTTP\/1.1 200.*received/s);
  expect(await send('/upload', 'a')).toMatch(/^HTTP\/1.1 408/);
});
