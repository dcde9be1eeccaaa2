import { buildClient, createImportDependencies, createTestFiles } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { withEmailChanges } from '../../../testing/serve-email-changes.ts';
import { startTogether, untilBlocked } from '../../../testing/until-blocked.ts';
import { importFeed } from '../../feed/import-feed.ts';

const { served, rows, send, mailsTo, tokenIn, buildSignedIn, startChange, confirm, stop, emailOf } =
  withEmailChanges();
const files = createTestFiles();
afterAll(() => files.drop());

const noRecords = { cases: [], matters: [], documents: [], searches: [], tasks: [], history: [] };

/** Does work while another transaction holds a table, so that nothing else can write to it or lock its rows. */
async function whileHeld<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const holder = await served.server.pool.connect();
  await holder.query(`begin; lock table ${table} in exclusive mode`);
  try {
    return await work();
  } finally {
    await holder.query('commit');
    holder.release();
  }
}

describe('stopping a change of the email address while another client has the former one', () => {
  async function buildStopped() {
    const client = await buildSignedIn();
    const token = await startChange(client);
    const stopToken = await tokenIn(client.email, 'stop-email-change');
    await confirm(token);
    const headers = await served.server.signInAs(client.id);
    await rows(
      `insert into client_factors (id, client_id, kind, name, created_at, active_at, credential_id, public_key, counter)
       values (gen_random_uuid(), $1, 'passkey', 'of a thief', now(), now(), gen_random_uuid()::text, '', 0)`,
      [client.id],
    );
    await buildClient(served.server.database, { email: client.email.toUpperCase() });
    return { ...client, headers, answer: await stop(stopToken) };
  }

  test('sessions, password and factors of a thief are removed although the former address cannot be restored', async () => {
    const { id, email, newEmail, headers, answer } = await buildStopped();
    expect(answer).toMatchObject({ status: 200, data: { is_address_restored: false } });
    expect((await send('GET', '/account', undefined, headers)).status).toBe(401);
    expect(
      await rows(
        `select email, unrestored_email, password_hash,
           (select count(*)::int from client_factors where client_id = clients.id) as factors
         from clients where id = $1`,
        [id],
      ),
    ).toEqual([{ email: newEmail, unrestored_email: email, password_hash: null, factors: 0 }]);
    expect(
      await rows("select after from audit_entries where subject_id = $1 and action like '%stopped'", [id]),
    ).toEqual([{ after: { address_restored: false } }]);
  });

  test('the former address gets a mail that asks the client to call, and the address in doubt gets no link', async () => {
    const { email, newEmail } = await buildStopped();
    expect((await mailsTo(email)).join()).toContain('Please call us about your email address');
    const before = (await mailsTo(newEmail)).length;
    expect((await send('POST', '/password/forgot', { email: newEmail })).status).toBe(204);
    expect(await mailsTo(newEmail)).toHaveLength(before);
  });

  test('a client with an older passkey can choose another address, and no one at the address in doubt can stop it', async () => {
    const { id, email, newEmail } = await buildStopped();
    const headers = await served.server.signInAs(id, { isSteppedUp: true });
    const before = (await mailsTo(newEmail)).length;
    const third = `third.${email}`;
    expect((await send('POST', '/account/email', { email: third }, headers)).status).toBe(200);
    expect((await confirm(await tokenIn(third, 'confirm-email'))).status).toBe(204);
    expect(await mailsTo(newEmail)).toHaveLength(before);
    expect(await rows('select email, unrestored_email from clients where id = $1', [id])).toEqual([
      { email: third, unrestored_email: null },
    ]);
  });
});

describe('changes of email addresses at the same time', () => {
  test('an import that started before a client confirms a new address keeps it', async () => {
    const client = await buildSignedIn();
    const token = await startChange(client);
    const dependencies = createImportDependencies({ database: served.server.database, files });
    const sent = {
      reference: client.reference,
      first_name: 'Renamed',
      last_name: 'Ashdown',
      email: client.email,
    };
    const importing = () =>
      importFeed(dependencies, {
        feed: { ...fixtureFeed, ...noRecords, clients: [sent] },
        folder: '.',
        as: 'real',
        actor: { kind: 'command_line', id: null, name: 'rhian' },
      });
    // The confirmation has locked the client; the import has read what it decides by, if it reads before it locks.
    const [confirmed, report] = await whileHeld('email_changes', async () => {
      const confirming = confirm(token);
      await untilBlocked(served.server);
      const imported = importing();
      await untilBlocked(served.server, 2);
      return [confirming, imported] as const;
    });
    expect([(await confirmed).status, (await report).rejected]).toEqual([204, []]);
    expect(
      await rows('select first_name, email, replaced_feed_email from clients where id = $1', [client.id]),
    ).toEqual([{ first_name: 'Renamed', email: client.newEmail, replaced_feed_email: client.email }]);
  });

  test('of two clients who confirm the same address at once, only one gets it', async () => {
    const [one, other] = [await buildSignedIn(), await buildSignedIn()];
    const address = `shared.${one.email}`;
    for (const { call } of [one, other]) await call('POST', '/account/email', { email: address });
    const mails = (await mailsTo(address)).join();
    const tokens = [...mails.matchAll(/confirm-email#([\w-]{43})/g)].map(([, token = '']) => token);
    // Each mail has the link as text and as HTML.
    const links = [...new Set(tokens)];
    expect(links).toHaveLength(2);
    const answers = await startTogether(
      served.server,
      'clients',
      links.map((token) => () => confirm(token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(answers.map(({ code }) => code)).toContain('email_taken');
    expect(
      [await emailOf(one.id), await emailOf(other.id)].filter((email) => email === address),
    ).toHaveLength(1);
  });

  test('a password link that is made during a change of the address does not go to the former one', async () => {
    const client = await buildSignedIn();
    const token = await startChange(client);
    const [confirming] = await whileHeld('email_changes', async () => {
      const started = [confirm(token)];
      await untilBlocked(served.server);
      expect((await send('POST', '/password/forgot', { email: client.email })).status).toBe(204);
      // The job waits for the client, whom the confirmation has locked.
      await untilBlocked(served.server, 2);
      return started;
    });
    expect((await confirming)?.status).toBe(204);
    expect((await mailsTo(client.email)).join()).not.toContain('reset-password#');
    expect(await rows('select from password_links where client_id = $1', [client.id])).toEqual([]);
  });
});
