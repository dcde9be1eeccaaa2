// @ts-check
import { createConnection } from 'node:net';

/*
 * The clients of `api.mjs`, in another process: they send requests over connections that stay open, with as little
 * work as possible, because they share the machine with the server that is measured.
 */

process.on('message', (/** @type {any} */ message) => {
  void measure(message).then((result) => process.send?.(result));
});

/**
 * @param {{ port: number, path: string, tokens: string[], clients: number, duration: number }} options
 * @returns {Promise<{ perSecond: number, median: number, p99: number }>}
 */
async function measure({ port, path, tokens, clients, duration }) {
  /** @type {number[]} */
  const times = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, () =>
      sendInTurn(
        port,
        () => {
          if (performance.now() - began >= duration) return null;
          next = (next + 1) % tokens.length;
          return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tokens[next]}\r\n\r\n`;
        },
        times,
      ),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  times.sort((one, other) => one - other);
  const at = (/** @type {number} */ part) =>
    times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? 0;
  return { perSecond: times.length / seconds, median: at(0.5), p99: at(0.99) };
}

/**
 * Sends one request after the other over one connection.
 * @param {number} port
 * @param {() => string | null} nextRequest returns null once the last answer has arrived
 * @param {number[]} times receives the duration of each request in milliseconds
 * @returns {Promise<void>}
 */
function sendInTurn(port, nextRequest, times) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    let received = '';
    let sentAt = 0;
    const send = () => {
      const request = nextRequest();
      if (request === null) {
        socket.destroy();
        resolve();
        return;
      }
      received = '';
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (/** @type {string} */ part) => {
      received += part;
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
      if (!received.startsWith('HTTP/1.1 200') || length === undefined) {
        reject(new Error(`unexpected answer: ${received.slice(0, 300)}`));
        return;
      }
      if (received.length < end + 4 + Number(length)) return;
      times.push(performance.now() - sentAt);
      send();
    });
  });
}
