import { createHmac, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { signWebhook } from '../adapters/sandbox/sandbox-signature.ts';
import { exchange } from '../testing/any-input/http-exchange.ts';
import { withInputServer } from '../testing/any-input/input-server.ts';
import { sendInputs } from '../testing/any-input/send-inputs.ts';
import {
  anyBatches,
  anyDocuments,
  anyLogos,
  anySpreadsheets,
  anyWebhooks,
} from '../testing/any-input/sockets-and-files/any-files.ts';

const server = withInputServer();
/** The number of tests that share the inputs of files. */
const tests = 6;

interface Sent {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  sender: string;
  mediaType?: string;
  headers?: Record<string, string>;
  content?: Buffer | string | object;
}

/** Sends a request. @returns the answer, and its faults */
async function send({ method, path, sender, mediaType = 'application/json', headers, content }: Sent) {
  const parts = await server.partsOf({
    method,
    path,
    sender,
    headers: { ...(content === undefined ? {} : { 'content-type': mediaType }), ...headers },
    content: typeof content === 'object' && !Buffer.isBuffer(content) ? JSON.stringify(content) : content,
  });
  const answer = await exchange(server.url, parts);
  const { url } = parts;
  const faults = await server.judge(answer, { path: url, errors: undefined }, { method, url, sender });
  if (!answer) return { status: 0, faults: ['the connection ended without an answer', ...faults] };
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const data = isJson && answer.status === 200 ? JSON.parse(answer.body).data : undefined;
  return { status: answer.status, faults, data };
}

const desk = (method: Sent['method'], path: string, content?: object): Sent => ({
  method,
  path: `/api/staff${path}`,
  sender: 'handler',
  ...(content ? { content } : {}),
});

/** Waits until a job has checked or imported a spreadsheet. @returns its state */
async function waitForJob(id: string): Promise<string> {
  const { rows } = await server.pool.query('select staff_id from spreadsheets where id = $1', [id]);
  let state = '';
  const read = async () => {
    const found = await server.pool.query('select state from spreadsheets where id = $1', [id]);
    state = found.rows[0]?.state ?? 'deleted';
    return state;
  };
  expect(rows).toHaveLength(1);
  await expect.poll(read, { interval: 5 }).not.toMatch(/checking|importing/);
  return state;
}

async function importSpreadsheet(file: Buffer): Promise<string[]> {
  const path = '/spreadsheets?file_name=cases.csv';
  const uploaded = await send({
    ...desk('POST', path),
    content: file,
    mediaType: 'application/octet-stream',
  });
  if (!uploaded.data) return uploaded.faults;
  const { id, columns } = uploaded.data as { id: string; columns: { field: string | null }[] };
  const faults = [...uploaded.faults];
  const step = async (sent: Sent) => {
    const answer = await send(sent);
    faults.push(...answer.faults);
    return answer.status === 200 ? waitForJob(id) : 'rejected';
  };
  const fields = columns.map(({ field }) => field);
  if ((await step(desk('POST', `/spreadsheets/${id}/check`, { columns: fields }))) === 'checked')
    await step(desk('POST', `/spreadsheets/${id}/import`));
  const { faults: more } = await send(desk('GET', `/spreadsheets/${id}/rejected-rows`));
  return [...faults, ...more];
}

test('fault 58: any spreadsheet is imported or rejected without a 5xx, internal details or changes of other data', async () => {
  await server.whileClientReads(
    sendInputs(anySpreadsheets, { kind: 'files', tests, send: importSpreadsheet }),
  );
});

test('fault 58: any document from the desk is shared or rejected without a 5xx or internal details', async () => {
  const share = async (content: Buffer) => {
    const uploaded = await send({
      ...desk('POST', '/files'),
      content,
      mediaType: 'application/octet-stream',
    });
    const file = uploaded.data as { file_id: string } | undefined;
    if (!file) return uploaded.faults;
    const document = {
      title: 'Contract',
      group: 'contract',
      signing: 'simple',
      binds_on: 'exchange',
      supersedes: null,
    };
    const body = { ...file, file_name: 'contract.pdf', ...document };
    const shared = await send(
      desk('POST', '/matters/@@matters@@/documents', {
        file_id: body.file_id,
        file_name: body.file_name,
        ...document,
      }),
    );
    return [...uploaded.faults, ...shared.faults];
  };
  await server.whileClientReads(sendInputs(anyDocuments, { kind: 'files', tests, send: share }));
});

test('fault 58: any document from the feed is stored or rejected without a 5xx or internal details', async () => {
  const store = async (content: Buffer) => {
    const path = `/api/feed/documents/D-${randomUUID()}`;
    const feed = { method: 'PUT', sender: 'write feed key' } as const;
    const stored = await send({ ...feed, path: `${path}/file`, content, mediaType: 'application/pdf' });
    const record = {
      reference: path.split('/').at(-1),
      matter: '@@matters.reference@@',
      group: 'contract',
      title: 'Letter',
      file: 'letter.pdf',
      uploaded_by: 'R',
      shared_at: '2026-11-01T10:00:00Z',
      signing: 'simple',
      binds_on: 'exchange',
    };
    const sent = await send({ ...feed, path, content: record });
    return [...stored.faults, ...sent.faults];
  };
  await server.whileClientReads(sendInputs(anyDocuments, { kind: 'files', tests, send: store }));
});

test('fault 58: any batch of the feed is imported or rejected without a 5xx or internal details', async () => {
  const batch = { method: 'POST', path: '/api/feed/batches', sender: 'write feed key' } as const;
  const importBatch = async (content: Buffer | string) =>
    (await send({ ...batch, content, mediaType: 'application/x-ndjson' })).faults;
  await server.whileClientReads(sendInputs(anyBatches, { kind: 'files', tests, send: importBatch }));
});

test('fault 58: any picture is accepted as a logo or rejected without a 5xx or internal details', async () => {
  const upload = async (picture: Buffer) =>
    (await send({ ...desk('POST', '/logos', { content: picture.toString('base64') }), sender: 'admin' }))
      .faults;
  await server.whileClientReads(sendInputs(anyLogos, { kind: 'files', tests, send: upload }));
});

test('fault 58: any signed webhook is stored or rejected without a 5xx or internal details', async () => {
  const { rows } = await server.pool.query('select secret from installation');
  const secret = createHmac('sha256', rows[0].secret).update('sandbox webhooks').digest('hex');
  const deliver = async (body: Buffer | string) => {
    const content = typeof body === 'string' ? server.records.resolve(body) : body;
    const headers = { 'sandbox-signature': signWebhook(content, secret, new Date()) };
    const webhook = { method: 'POST', path: '/api/webhooks/sandbox', sender: 'no one' } as const;
    return (await send({ ...webhook, content, headers })).faults;
  };
  await server.whileClientReads(sendInputs(anyWebhooks, { kind: 'files', tests, send: deliver }));
});
