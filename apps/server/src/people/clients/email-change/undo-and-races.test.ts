import { buildClient, createImportDependencies, createTestFiles } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { importFeed } from '../../../doors/import/import-feed.ts';
import { systemClock } from '../../../platform/clock.ts';
import { withEmailChanges } from '../../../testing/serve-email-changes.ts';
import { startTogether, untilBlocked } from '../../../testing/until-blocked.ts';
import { resetSignIn } from '../reset-sign-in.ts';

const {
  served,
  rows,
  send,
  mailsTo,
  tokenIn,
  buildSignedIn,
  startConfirmedByFormer,
  confirm,
  stop,
  emailOf,
} = withEmailChanges();
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

type SignedIn = Awaited<ReturnType<typeof buildSignedIn>>;

const addPasskey = (clientId: string, name: string, age: string) =>
  rows(
    `insert into client_factors (id, client_id, kind, name, created_at, active_at, credential_id, public_key, counter)
     values (gen_random_uuid(), $1, 'passkey', $2, now() - $3::interval, now() - $3::interval, gen_random_uuid()::text, '', 0)`,
    [clientId, name, age],
  );

/** Makes a change, and returns the token of the link to the former address. */
async function makeChange(client: SignedIn): Promise<string> {
  const { newToken, formerToken } = await startConfirmedByFormer(client);
  await confirm(newToken);
  return formerToken;
}

const stateOf = async (id: string) =>
  (
    await rows(
      `select email, unrestored_email, password_hash is not null as has_password,
         array(select name from client_factors where client_id = clients.id) as factors,
         (select count(*)::int from client_recovery_codes where client_id = clients.id) as codes
       from clients where id = $1`,
      [id],
    )
  )[0];

const linksTo = async (address: string) =>
  (await mailsTo(address)).filter((mail) => mail.includes('reset-password#')).length;

describe('undoing a change of the email address', () => {
  test('an undone email change restores the former address, ends every session, and no address gets a password link', async () => {
    const client = await buildSignedIn();
    const { id, email, newEmail } = client;
    const token = await makeChange(client);
    const headers = await served.server.signInAs(id, { isSteppedUp: true });
    await addPasskey(id, 'of a thief', '0');
    await addPasskey(id, 'of a thief who waited', '6 days');
    expect(await stop(token)).toMatchObject({ status: 200, data: { is_undone: true } });
    expect((await send('GET', '/account', undefined, headers)).status).toBe(401);
    expect(await stateOf(id)).toEqual({
      email,
      unrestored_email: email,
      has_password: false,
      factors: [],
      codes: 0,
    });
    for (const address of [email, newEmail]) {
      expect((await send('POST', '/password/forgot', { email: address })).status).toBe(204);
      expect(await linksTo(address), address).toBe(0);
      expect((await mailsTo(address)).join()).toContain('Please call us about your email address');
    }
    expect((await stop(token)).code).toBe('link_expired');
    expect(
      await rows("select after from audit_entries where subject_id = $1 and action like '%undone'", [id]),
    ).toEqual([{ after: { address_restored: true } }]);
  });

  test('the firm lets a client back in whose email change was undone, once it has checked who they are', async () => {
    const client = await buildSignedIn();
    const { id, email } = client;
    expect((await stop(await makeChange(client))).status).toBe(200);
    const { database } = served.server;
    await database.transaction(async (transaction) => {
      const state = { id, email, replacedFeedEmail: null, unrestoredEmail: email };
      expect(await resetSignIn({ clock: systemClock }, transaction, state)).toBe(email);
    });
    expect(await linksTo(email)).toBe(1);
    expect(await stateOf(id)).toMatchObject({ unrestored_email: null });
  });

  test('a client whose email change was undone signs in with the password and an older second factor, and then gets links again', async () => {
    const client = await buildSignedIn();
    const { id, email } = client;
    await addPasskey(id, 'their own', '8 days');
    await rows(
      "insert into client_recovery_codes (code_hash, client_id, created_at) values (sha256('1234567890'), $1, now() - interval '8 days')",
      [id],
    );
    await stop(await makeChange(client));
    expect(await stateOf(id)).toMatchObject({ has_password: true, factors: ['their own'], codes: 1 });
    const password = 'turn-the-key-2026';
    expect((await send('POST', '/login', { email, password })).code).toBe('second_factor_required');
    await send('POST', '/password/forgot', { email });
    expect(await linksTo(email)).toBe(0);
    expect((await send('POST', '/login', { email, password, code: '12345-67890' })).status).toBe(200);
    await send('POST', '/password/forgot', { email });
    expect(await linksTo(email)).toBe(1);
  });

  test('undoing an email change removes an authenticator app that was started before it, and its recovery codes', async () => {
    const client = await buildSignedIn();
    const { data } = await client.call('POST', '/account/authenticators');
    const token = await makeChange(client);
    await rows('update client_factors set active_at = now() where id = $1', [data.id]);
    await rows(
      "insert into client_recovery_codes (code_hash, client_id, created_at) values (sha256('code'), $1, now())",
      [client.id],
    );
    expect((await stop(token)).status).toBe(200);
    expect(await stateOf(client.id)).toMatchObject({ factors: [], codes: 0 });
  });

  test('the former address cannot undo an email change after a week', async () => {
    const client = await buildSignedIn();
    const token = await makeChange(client);
    expect(
      await rows(
        `select stoppable_until - confirmed_at = interval '7 days' as a_week from email_changes where client_id = $1`,
        [client.id],
      ),
    ).toEqual([{ a_week: true }]);
    expect((await confirm(token)).data).toEqual({ missing: null });
    await rows("update email_changes set stoppable_until = now() - interval '1 second'");
    expect((await stop(token)).code).toBe('link_expired');
    expect((await confirm(token)).code).toBe('link_expired');
  });
});

describe('undoing a change of the email address while another client has the former one', () => {
  async function buildUndone() {
    const client = await buildSignedIn();
    const token = await makeChange(client);
    await addPasskey(client.id, 'their own', '8 days');
    await buildClient(served.server.database, { email: client.email.toUpperCase() });
    return { ...client, answer: await stop(token) };
  }

  test('an undone email change keeps the new address when another client has the former one, and it gets no links', async () => {
    const { id, email, newEmail, answer } = await buildUndone();
    expect(answer).toMatchObject({ status: 200, data: { is_undone: true } });
    expect(await stateOf(id)).toMatchObject({ email: newEmail, unrestored_email: email });
    await send('POST', '/password/forgot', { email: newEmail });
    expect(await linksTo(newEmail)).toBe(0);
    expect(
      await rows("select after from audit_entries where subject_id = $1 and action like '%undone'", [id]),
    ).toEqual([{ after: { address_restored: false } }]);
  });

  test('a client with an older passkey replaces an address in doubt, and no one at that address has to confirm or can stop it', async () => {
    const { id, email, newEmail } = await buildUndone();
    const headers = await served.server.signInAs(id, { isSteppedUp: true });
    const before = (await mailsTo(newEmail)).length;
    const third = `third.${email}`;
    expect((await send('POST', '/account/email', { email: third }, headers)).data).toMatchObject({
      confirms_change_at_current: false,
      new_email: { is_confirmed_at_former: true },
    });
    expect((await confirm(await tokenIn(third, 'confirm-email'))).data).toEqual({ missing: null });
    expect(await mailsTo(newEmail)).toHaveLength(before);
    expect(await stateOf(id)).toMatchObject({ email: third, unrestored_email: null });
  });
});

describe('changes of email addresses at the same time', () => {
  test('an import that started before a client confirms a new address keeps it', async () => {
    const client = await buildSignedIn();
    const { newToken: token } = await startConfirmedByFormer(client);
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
    expect([(await confirmed).status, (await report).rejected]).toEqual([200, []]);
    expect(
      await rows('select first_name, email, replaced_feed_email from clients where id = $1', [client.id]),
    ).toEqual([{ first_name: 'Renamed', email: client.newEmail, replaced_feed_email: client.email }]);
  });

  test('of two clients who confirm the same address at once, only one gets it', async () => {
    const [one, other] = [await buildSignedIn(), await buildSignedIn()];
    const address = `shared.${one.email}`;
    for (const client of [one, other]) await startConfirmedByFormer({ ...client, newEmail: address });
    const mails = (await mailsTo(address)).join();
    const tokens = [...mails.matchAll(/confirm-email#([\w-]{43})/g)].map(([, token = '']) => token);
    // Each email has the link as text and as HTML.
    const links = [...new Set(tokens)];
    expect(links).toHaveLength(2);
    const answers = await startTogether(
      served.server,
      'clients',
      links.map((token) => () => confirm(token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.map(({ code }) => code)).toContain('email_taken');
    expect(
      [await emailOf(one.id), await emailOf(other.id)].filter((email) => email === address),
    ).toHaveLength(1);
  });

  test('a password link that is made during a change of the address does not go to the former one', async () => {
    const client = await buildSignedIn();
    const { newToken: token } = await startConfirmedByFormer(client);
    const [confirming] = await whileHeld('email_changes', async () => {
      const started = [confirm(token)];
      await untilBlocked(served.server);
      expect((await send('POST', '/password/forgot', { email: client.email })).status).toBe(204);
      // The job waits for the client, whom the confirmation has locked.
      await untilBlocked(served.server, 2);
      return started;
    });
    expect((await confirming)?.status).toBe(200);
    expect((await mailsTo(client.email)).join()).not.toContain('reset-password#');
    expect(await rows('select from password_links where client_id = $1', [client.id])).toEqual([]);
  });
});
