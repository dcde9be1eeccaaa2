import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FixtureS3, startFixtureS3 } from '../../apps/server/src/testing/s3/fixture-s3.ts';
import { sendRequest, signInForToken } from '../harness/api-client.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';
import {
  copyDemonstration,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** The server and the commands store documents in S3, where the demonstration’s were copied. */
const bucket = 'documents';
let s3: FixtureS3;
let server: RunningProduct;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  s3 = await startFixtureS3([bucket]);
  env = {
    KEYTURN_DOCUMENT_STORE: 's3',
    KEYTURN_S3_BUCKET: bucket,
    KEYTURN_S3_ENDPOINT: s3.url,
    KEYTURN_S3_REGION: 'us-east-1',
    KEYTURN_S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    KEYTURN_S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  };
  const dataDirectory = copyDemonstration();
  const documents = join(dataDirectory, 'documents');
  for (const entry of readdirSync(documents, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    await s3.put(bucket, file.slice(documents.length + 1), readFileSync(file));
  }
  rmSync(documents, { recursive: true });
  server = await startProduct({ dataDirectory, env });
});
afterAll(async () => {
  await server.stop();
  await s3.stop();
  removeDataDirectory(server.dataDirectory);
});
const folder = temporaryFolder();
const verify = (...args: string[]) => runKeyturn(server.dataDirectory, ['verify-signature', ...args], env);

test('keyturn verify-signature verifies a signed document in S3 by its id and by the client’s file while the server runs', async () => {
  const token = await signInForToken(server.url, 'amelia@example.test');
  const documents = (await (await sendRequest(server.url, '/documents', { token })).json()).data;
  const { id, sha256, signature } = documents.find(
    ({ signature: asked }: { signature: { consent: string | null; needs_confirmation: boolean } | null }) =>
      asked !== null && asked.consent !== null && !asked.needs_confirmation,
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
