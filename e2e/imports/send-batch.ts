import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { feedFormat } from '@keyturn/contract';
import { runKeyturn } from '../harness/run-keyturn.ts';
import { generatedFirm } from './make-feed.ts';

/** Creates the firm in an empty installation. @returns the secret of an API key that may send every kind of record */
export async function openFeed(dataDirectory: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const file = join(dataDirectory, 'firm.json');
  writeFileSync(file, JSON.stringify({ format: feedFormat, as_of: '2026-11-20', firm: generatedFirm }));
  const imported = await runKeyturn(dataDirectory, ['import', file], env);
  if (imported.code !== 0) throw new Error(imported.output);
  const { output } = await runKeyturn(dataDirectory, ['key', 'create', 'A batch', '--write', 'all'], env);
  const [, secret] = /^Secret (\S+)$/m.exec(output) ?? [];
  if (secret === undefined) throw new Error(output);
  return secret;
}

/** Sends an NDJSON batch, which is imported after the response. @returns the path of its status */
export async function sendBatch(url: string, secret: string, lines: Iterable<string>): Promise<string> {
  const answer = await fetch(`${url}/api/feed/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' },
    body: Readable.from(inParts(lines)) as never,
    duplex: 'half',
  } as RequestInit);
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.headers.get('location') ?? '';
}

/** Waits until a batch is imported. @returns its status */
export async function waitForBatch(url: string, secret: string, path: string) {
  for (;;) {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    const { data } = (await answer.json()) as { data: Record<string, number | string | object> };
    if (data.state === 'done' || data.state === 'failed') return data;
    await pause(200);
  }
}

/** Sending one line at a time would make each line a packet. */
function* inParts(lines: Iterable<string>): Generator<Buffer> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < 64 * 1024) continue;
    yield Buffer.from(part);
    part = '';
  }
  if (part !== '') yield Buffer.from(part);
}
