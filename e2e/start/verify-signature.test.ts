import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demonstrationPassword } from '../harness/browser.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';

let product: RunningProduct;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-verify-'));
  product = await startProduct();
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

function verify(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, KEYTURN_DATA_DIR: product.dataDirectory };
  const command = join(projectDirectory, 'apps/server/bin/keyturn.mjs');
  return new Promise((done) =>
    execFile(process.execPath, [command, 'verify-signature', ...args], { env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    ),
  );
}

test('a document that Amelia signed is proven beside the running server, by its id and by the file she keeps', async () => {
  const credentials = { email: 'amelia@example.test', password: demonstrationPassword };
  const token = (await (await ask('/login', undefined, credentials)).json()).data.access_token;
  const documents = (await (await ask('/documents', token)).json()).data;
  const { id, sha256 } = documents.find(
    (document: { signature: { required: boolean } | null }) => document.signature?.required,
  );
  expect(await verify(id)).toMatchObject({ code: 1, output: expect.stringContaining('no signatures') });

  const signature = { name: 'Amelia Okafor', consent: true, sha256 };
  expect((await ask(`/documents/${id}/signature`, token, signature)).status).toBe(200);
  expect(await verify(id)).toMatchObject({ code: 0, output: expect.stringContaining('1. Amelia Okafor') });

  const file = join(folder, 'contract.pdf');
  writeFileSync(file, Buffer.from(await (await ask(`/documents/${id}/content`, token)).arrayBuffer()));
  expect(await verify(file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('PROVEN: 1 signature'),
  });
  appendFileSync(file, ' ');
  expect(await verify(file)).toMatchObject({ code: 1, output: expect.stringContaining('NOT PROVEN') });
  expect(await verify(join(folder, 'nothing.pdf'))).toMatchObject({ code: 2 });
  expect(await verify()).toMatchObject({ code: 2, output: expect.stringContaining('Usage:') });
});
