import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { parseCommand, startWebhookReceiver, withTestDatabase } from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessageSender } from '../../adapters/webhooks/create-message-sender.ts';
import { startTogether } from '../../testing/until-blocked.ts';
import { runWebhookCommand, webhookCommand } from './webhook-command.ts';

const testDatabase = withTestDatabase();
const rules = { allowsPrivate: true, allowsHttp: true };
const send = createMessageSender({ resolve: async () => ['127.0.0.1'], ...rules });

const run = async (...args: string[]) => {
  const lines: string[] = [];
  const dependencies = { database: testDatabase.database, clock: () => new Date(), rules, send };
  const code = await runWebhookCommand(dependencies, parseCommand(webhookCommand, args), (line) =>
    lines.push(line),
  );
  return { code, lines };
};
const rows = async (text: string, values: unknown[] = []) =>
  (await testDatabase.pool.query(text, values)).rows;

let secret = '';
let status = 204;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
beforeEach(async () => {
  status = 204;
  receiver = await startWebhookReceiver({ secret: () => secret, answer: () => status });
});
afterEach(() => receiver.close());

/** Runs `create`. @returns the id */
async function create(events = 'all') {
  const { lines } = await run('create', receiver.url, '--description', 'Case management', '--events', events);
  secret = lines[1]?.replace('Secret ', '') ?? '';
  return lines[0]?.replace('Endpoint ', '') ?? '';
}
const record = async () => {
  await rows(
    "select record_webhook_event('document.read', $1, now(), gen_random_uuid(), '{\"case\": \"KT-1\"}', '/')",
    [randomUUID()],
  );
  return (await rows('select id from webhook_events order by position desc limit 1'))[0].id as string;
};

describe('keyturn webhook', () => {
  test('keyturn webhook creates an endpoint, prints its secret once and tests it', async () => {
    const id = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await run('test', id)).toEqual({ code: 0, lines: ['The endpoint answered 204.'] });
    expect(receiver.received).toMatchObject([{ content: { type: 'webhook.test', data: {} } }]);
    status = 500;
    expect(await run('test', id)).toEqual({ code: 1, lines: ['The endpoint answered 500.'] });
    const { lines } = await run('list');
    const listed = lines.filter((line) => line.startsWith(id));
    expect(listed).toEqual([
      `${id}  "Case management"  enabled  0 pending, 0 retrying, 0 dead  ${receiver.url}  all`,
    ]);
    expect(lines.join()).not.toContain(secret);
  });

  test('keyturn webhook rejects invalid URLs and event types, and unknown endpoints', async () => {
    expect(await run('create', 'https://user@example.com/', '--description', 'A', '--events', 'all')).toEqual(
      {
        code: 1,
        lines: ['The address must not contain a user name or password.'],
      },
    );
    expect(() =>
      parseCommand(webhookCommand, [
        'create',
        'https://example.com/',
        '--description',
        'A',
        '--events',
        'paid',
      ]),
    ).toThrow();
    for (const name of ['test', 'enable', 'disable', 'delete', 'rotate', 'deliveries', 'resend'])
      for (const id of [randomUUID(), 'none'])
        expect(await run(name, id), name).toEqual({ code: 1, lines: ['No endpoint has this id.'] });
  });

  test('keyturn webhook lists deliveries with their attempts, and sends dead letters again', async () => {
    const id = await create('document.read');
    const [first, second] = [await record(), await record()];
    await rows(
      "update webhook_deliveries set state = 'dead', attempts = 1, failures = 1, finished_at = now() where event_id = $1 and endpoint_id = $2",
      [first, id],
    );
    await rows("insert into webhook_attempts values ($1, $2, 1, '2026-11-20T09:00:00Z', 31, 503, null)", [
      id,
      first,
    ]);
    const { lines } = await run('deliveries', id, '--dead');
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${first}  document.read  .*  dead  {"case":"KT-1"}$`)),
      '  2026-11-20T09:00:00.000Z  503  after 31 ms',
    ]);
    expect((await run('deliveries', id)).lines[0]).toContain(`${second}  document.read`);
    expect((await run('resend', id, second)).code).toBe(1);
    expect((await run('resend', id)).lines).toEqual(['1 event will be sent again.']);
    for (const command of [
      ['deliveries', id, '--dead'],
      ['resend', id],
    ])
      expect((await run(...command)).lines).toEqual(['There are no dead letters.']);
    expect(await rows('select distinct state from webhook_deliveries where endpoint_id = $1', [id])).toEqual([
      { state: 'pending' },
    ]);
    await run('disable', id);
    expect((await run('resend', id)).lines).toEqual(['The endpoint is disabled. Enable it first.']);
  });

  test('keyturn webhook keeps at most five valid secrets of an endpoint', async () => {
    const id = await create();
    for (let rotation = 0; rotation < 4; rotation += 1) expect((await run('rotate', id)).code).toBe(0);
    expect((await run('rotate', id)).lines[0]).toContain('5 of its secrets are valid');
    const { lines } = await run('rotate', id, '--overlap', '0');
    expect(lines.at(-1)).toBe('The previous secret no longer works.');
    secret = lines[0]?.replace('Secret ', '') ?? '';
    await run('test', id);
    expect(receiver.received[0]?.headers['webhook-signature']).not.toContain(' ');
  });

  test('keyturn webhook deletes an endpoint with its secrets, and audits every change', async () => {
    const id = await create();
    for (const name of ['disable', 'disable', 'enable', 'rotate', 'test', 'delete']) await run(name, id);
    expect(await rows('select 1 from webhook_secrets where endpoint_id = $1', [id])).toEqual([]);
    expect((await run('list')).lines.join()).not.toContain(id);
    const entries = await rows(
      `select action, actor_name, after from audit_entries join audit_links on entry_id = id
       where subject_id = $1 order by position`,
      [id],
    );
    expect(entries.map(({ action }) => action.replace('webhook_endpoint.', ''))).toEqual([
      'created',
      'disabled',
      'enabled',
      'secret_rotated',
      'tested',
      'deleted',
    ]);
    expect(entries[0]).toMatchObject({
      actor_name: userInfo().username,
      after: { host: new URL(receiver.url).host },
    });
    expect(JSON.stringify(entries)).not.toContain('/hook');
  });

  test('keyturn webhook rejects more than 20 endpoints, even if several are created at the same time', async () => {
    await rows(
      `insert into webhook_endpoints select gen_random_uuid(), 'https://example.com/', 'Many', '{task.completed}', 'disabled', false, now(), now()
       from generate_series(1, 19 - (select count(*)::int from webhook_endpoints where state <> 'deleted'))`,
    );
    const create = () => run('create', receiver.url, '--description', 'Many', '--events', 'all');
    const refused = { code: 1, lines: ['There are 20 endpoints already. Delete one first.'] };
    const answers = await startTogether(testDatabase, 'webhook_endpoints', [create, create, create]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(answers.filter(({ code }) => code !== 0)).toEqual([refused, refused]);
    await rows("update webhook_endpoints set state = 'deleted' where description = 'Many'");
  });
});
