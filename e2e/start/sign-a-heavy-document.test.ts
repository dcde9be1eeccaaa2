import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runKeyturn } from '../harness/run-keyturn.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';

let product: RunningProduct;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-heavy-'));
  product = await startProduct({ env: { KEYTURN_DEMONSTRATION: 'off' } });
});
afterAll(async () => {
  await product?.stop();
  if (product) removeDataDirectory(product.dataDirectory);
  rmSync(folder, { recursive: true, force: true });
});

async function ask(path: string, token?: string, body?: object): Promise<Response> {
  return fetch(`${product.url}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

test('while a document of very many parts is signed the server goes on answering', async () => {
  writeFileSync(join(folder, 'heavy.pdf'), pdfOf(60_000));
  const text = readFileSync(join(projectDirectory, 'docs/case-feed.md'), 'utf8');
  const feed = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  feed.clients[0].password = 'turn-the-key-2026';
  feed.documents = [
    {
      reference: 'D-1',
      matter: feed.matters[0].reference,
      group: 'contract',
      title: 'Contract',
      file: 'heavy.pdf',
      uploaded_by: 'Example & Co',
      shared_at: '2026-11-18T09:00:00Z',
      signature_required: true,
    },
  ];
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  expect(await runKeyturn(product.dataDirectory, ['import', file])).toMatchObject({ code: 0 });

  const credentials = { email: 'ada@example.test', password: 'turn-the-key-2026' };
  const token = (await (await ask('/login', undefined, credentials)).json()).data.access_token;
  const [{ id, sha256 }] = (await (await ask('/documents', token)).json()).data;
  const began = Date.now();
  let isSigned = false;
  const signing = ask(`/documents/${id}/signature`, token, {
    name: 'Ada Byrne',
    consent: true,
    sha256,
  }).finally(() => {
    isSigned = true;
  });
  let slowest = 0;
  while (!isSigned) {
    const asked = Date.now();
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    slowest = Math.max(slowest, Date.now() - asked);
    await wait(20);
  }
  expect((await signing).status).toBe(200);
  // Where the work is done in the server's own thread, no answer comes for the most part of it.
  expect(slowest).toBeLessThan((Date.now() - began) / 3);
  const content = await ask(`/documents/${id}/content`, token);
  expect(content.headers.get('content-disposition')).toContain('(signed).pdf');
  expect(product.output()).not.toContain('could not be made');
});

/** A PDF of one page and this many other objects: some 95 bytes each, and much more once it is opened. */
function pdfOf(objects: number): Buffer {
  const bodies = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
    ...Array.from({ length: objects }, (_, index) => `<</A ${index}/B[1 2 3 4 5]/C(text)/D<</E/F/G true>>>>`),
  ];
  let text = '%PDF-1.7\n';
  const places = bodies.map((body, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = bodies.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}
