import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { limitConnections } from './limit-connections.ts';

test('fault 73: a server closes connections above three quarters of its limit of open files, with one warning', async () => {
  const server = createServer((_request, response) => response.end());
  const warn = vi.fn();
  limitConnections(server, { warn }, 8);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    const isAnswered = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]);
    return { socket, isAnswered };
  };
  const opened = [];
  for (let count = 0; count < 8; count += 1) opened.push(await open());
  expect(opened.map(({ isAnswered }) => isAnswered)).toEqual([...Array(6).fill(true), false, false]);
  expect(warn).toHaveBeenCalledTimes(1);
  opened[0]?.socket.destroy();
  await expect.poll(async () => (await open()).isAnswered).toBe(true);
  server.closeAllConnections();
  server.close();
});
