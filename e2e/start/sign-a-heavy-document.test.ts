import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { measureSlowness } from '@keyturn/testkit/measure-slowness.ts';
import { expect, test } from 'vitest';
import { sendRequest, signInForToken } from '../harness/api-client.ts';
import { enterFirm } from '../harness/enter-firm.ts';
import { exampleFeed } from '../harness/example-feed.ts';
import { withServer } from '../harness/product-and-browser.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const server = withServer({ KEYTURN_DEMONSTRATION: 'off' });
const folder = temporaryFolder();

test('the server keeps answering while it signs an image of 20 million pixels', async () => {
  writeFileSync(join(folder, 'deed.png'), pictureOf(4_000, 5_000));
  const feed = exampleFeed();
  feed.documents = [
    {
      reference: 'D-1',
      matter: feed.matters[0].reference,
      group: 'contract',
      title: 'Contract',
      file: 'deed.png',
      uploaded_by: 'Example & Co',
      shared_at: '2026-11-18T09:00:00Z',
      signing: 'simple',
      confirm_identity: false,
    },
  ];
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  await enterFirm(server.dataDirectory);
  expect(await server.keyturn('import', file)).toMatchObject({ code: 0 });

  const token = await signInForToken(server.url, 'ada@example.test');
  const [{ id, sha256, signature }] = (await (await sendRequest(server.url, '/documents', { token })).json())
    .data;
  let isSigned = false;
  const signing = sendRequest(server.url, `/documents/${id}/signature`, {
    token,
    body: { name: 'Ada Byrne', consent: signature.consent, sha256 },
  }).finally(() => {
    isSigned = true;
  });
  let slowest = 0;
  while (!isSigned) {
    const asked = Date.now();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    slowest = Math.max(slowest, Date.now() - asked);
    await wait(20);
  }
  expect((await signing).status).toBe(200);
  // Unpacked in the server’s own thread, it would keep every request waiting for seconds.
  expect(slowest).toBeLessThan(700 * measureSlowness());
  const content = await sendRequest(server.url, `/documents/${id}/content`, { token });
  expect(content.headers.get('content-disposition')).toContain('(signed).pdf');
  expect(server.output()).not.toContain('could not be made');
});

/** A white PNG: a few kilobytes, and four bytes for each of its pixels once it is unpacked. */
function pictureOf(width: number, height: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(name, 'latin1'), content, Buffer.alloc(4)]);
    whole.writeUInt32BE(content.length);
    whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
    return whole;
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const line = Buffer.alloc(1 + width * 3, 255);
  line[0] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
