import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildCase, buildStoredDocument, withTestServer } from '@keyturn/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitDownloads } from './limit-downloads.ts';

const server = withTestServer();
const warnings: string[] = [];
const onWarning = ({ message }: Error) => void warnings.push(message);
beforeEach(() => process.on('warning', onWarning));
afterEach(() => process.off('warning', onWarning));

/** Starts a download, and returns its response. */
async function start(limit: ReturnType<typeof limitDownloads>, caller: string) {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  await limit.during(caller, response, async () => {});
  return response;
}

test('fault 64: limits the downloads of all callers together, with a message about downloads', async () => {
  let rejected = 0;
  const limit = limitDownloads({ ofCaller: 2, inAll: 3 }, () => {
    rejected += 1;
  });
  const [first] = [await start(limit, 'amelia'), await start(limit, 'amelia'), await start(limit, 'tom')];
  await expect(start(limit, 'amelia')).rejects.toMatchObject({ code: 'too_many_requests' });
  await expect(start(limit, 'zoe')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^Too many documents are being downloaded/),
    retryAfter: 5,
  });
  expect(rejected).toBe(1);
  first.emit('close');
  await expect
    .poll(() =>
      start(limit, 'zoe').then(
        () => 'started',
        () => 'rejected',
      ),
    )
    .toBe('started');
});

test('a download does not make Node.js warn of too many listeners on its response', async () => {
  const { clientId, matterId } = await buildCase(server.database);
  const { id } = await buildStoredDocument(server.database, server.files, { matterId });
  const headers = await server.signInAs(clientId);
  const path = `/api/documents/${id}/content`;
  const sent = await fetch(server.url + path, { headers });
  await sent.arrayBuffer();
  const injected = await server.app.inject({ url: path, headers });
  await nextTurn();
  expect([sent.status, injected.statusCode]).toEqual([200, 200]);
  expect(warnings).toEqual([]);
});
