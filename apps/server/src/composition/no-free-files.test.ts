import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { buildCase, buildStoredDocument, withTestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signWebhook } from '../adapters/sandbox/sandbox-signature.ts';

const server = withTestServer();

/** Started beforehand, because a process without free files can start no other. */
let shell: ChildProcessWithoutNullStreams;
beforeAll(() => {
  shell = spawn('bash');
});
afterAll(async () => {
  shell.stdin.end('exit\n');
  await once(shell, 'exit');
});

/** Runs `work` while this process can open no file and no connection. */
async function withoutFreeFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  const run = async (command: string) => {
    shell.stdin.write(`${command}\n`);
    return String(await once(shell.stdout, 'data')).trim();
  };
  const limit = await run(`prlimit --pid ${process.pid} --nofile --noheadings --raw --output SOFT`);
  await run(`prlimit --pid ${process.pid} --nofile=1: && echo done`);
  try {
    return await work();
  } finally {
    await run(`prlimit --pid ${process.pid} --nofile=${limit}: && echo done`);
  }
}

test.skipIf(process.platform !== 'linux')(
  'fault 73: without free file descriptors, requests get 503 and never 500, and a webhook is applied once there are some',
  async () => {
    const { clientId, matterId } = await buildCase(server.database);
    const { id } = await buildStoredDocument(server.database, server.files, { matterId });
    const headers = await server.signInAs(clientId);
    const download = () => server.app.inject({ url: `/api/documents/${id}/content`, headers });
    // More of them than there are open connections to the database.
    const signIns = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, number) =>
          server.app.inject({
            method: 'POST',
            url: '/api/login',
            remoteAddress: `198.51.100.${number}`,
            payload: { email: `${number}@example.test`, password: 'wrong' },
          }),
        ),
      );
    const { rows } = await server.pool.query('select secret from installation');
    const secret = createHmac('sha256', rows[0].secret).update('sandbox webhooks').digest('hex');
    const webhook = () => {
      const body = JSON.stringify({ id: 'evt_files', type: 'payment_intent.succeeded', intent: null });
      return server.app.inject({
        method: 'POST',
        url: '/api/webhooks/sandbox',
        headers: {
          'content-type': 'application/json',
          'sandbox-signature': signWebhook(body, secret, new Date()),
        },
        payload: body,
      });
    };
    expect((await download()).statusCode).toBe(200);

    const answers = await withoutFreeFiles(async () => [await download(), ...(await signIns())]);
    const unready = await withoutFreeFiles(() => server.app.inject('/readyz'));
    expect([unready.statusCode, unready.json()]).toMatchObject([503, { files: expect.any(String) }]);
    expect(answers[0]).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => ![401, 503].includes(status))).toEqual([]);
    expect(statuses.slice(1)).toContain(503);

    expect((await download()).statusCode).toBe(200);
    expect((await webhook()).statusCode).toBe(200);
    expect(
      (await server.pool.query("select from provider_events where event_id = 'evt_files'")).rowCount,
    ).toBe(1);
  },
);
