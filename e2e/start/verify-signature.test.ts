import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sendRequest, signInForToken } from '../harness/api-client.ts';
import { withServer } from '../harness/product-and-browser.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const server = withServer();
const folder = temporaryFolder();
const verify = (...args: string[]) => server.keyturn('verify-signature', ...args);

test('keyturn verify-signature proves a signed document by its id and by the client’s file while the server runs', async () => {
  const token = await signInForToken(server.url, 'amelia@example.test');
  const documents = (await (await sendRequest(server.url, '/documents', { token })).json()).data;
  const { id, sha256, signature } = documents.find(
    (document: { signature: { required: boolean } | null }) => document.signature?.required,
  );
  expect(await verify(id)).toMatchObject({ code: 1, output: expect.stringContaining('no signatures') });

  const body = { name: 'Amelia Okafor', consent: signature.consent, sha256 };
  expect((await sendRequest(server.url, `/documents/${id}/signature`, { token, body })).status).toBe(200);
  expect(await verify(id)).toMatchObject({ code: 0, output: expect.stringContaining('1. Amelia Okafor') });

  const file = join(folder, 'contract.pdf');
  const content = await sendRequest(server.url, `/documents/${id}/content`, { token });
  writeFileSync(file, Buffer.from(await content.arrayBuffer()));
  expect(await verify(file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('PROVEN: 1 signature'),
  });
  appendFileSync(file, ' ');
  expect(await verify(file)).toMatchObject({ code: 1, output: expect.stringContaining('NOT PROVEN') });
  expect(await verify(join(folder, 'nothing.pdf'))).toMatchObject({ code: 2 });
  expect(await verify()).toMatchObject({ code: 2, output: expect.stringContaining('Usage:') });
});
