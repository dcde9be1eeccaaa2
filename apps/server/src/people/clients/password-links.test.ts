import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildCase,
  buildClient,
  buildFirm,
  buildRegulation,
  createTestServer,
  parseCommand,
  type TestServer,
} from '@keyturn/testkit';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import { addClientAccessCommands, runClientAccess } from './client-access-command.ts';
import { clientCommand, runClientCommand } from './client-command.ts';
import { requestPasswordLink } from './password-link-mail.ts';

const old = 'turn-the-key-2026';
const chosen = 'three brass hinges and a gate';
const name = { firstName: 'Zoë 李', lastName: "O'Brien-Łukasiewicz" };

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-mail-'));
  server = await createTestServer({
    env: { KEYTURN_DATA_DIR: folder, KEYTURN_PUBLIC_URL: 'https://clients.example.test/' },
  });
  await buildFirm(server.database);
  await buildRegulation(server.database);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await expect.poll(jobsLeft).toBe(0);
  rmSync(join(folder, 'outbox'), { recursive: true, force: true });
});

const post = (path: string, payload: object, address = '198.51.100.1', headers: object = {}) =>
  server.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    remoteAddress: address,
    payload: JSON.stringify(payload),
  });
const ask = (email: string, address?: string) => post('/password/forgot', { email }, address);
const reset = (token: string, password = chosen) => post('/password/reset', { token, password });
const isOpen = async (token: string, address?: string) =>
  (await post('/password/check-link', { token }, address)).json().data?.is_open;
const signIn = (email: string, password: string) => post('/login', { email, password });

function mails(): string[] {
  try {
    const files = readdirSync(join(folder, 'outbox')).filter((file) => file.endsWith('.eml'));
    const texts = files.sort().map((file) => readFileSync(join(folder, 'outbox', file), 'utf8'));
    // The tests sign in without the cookie of a known device.
    return texts.filter((text) => !text.includes('Subject: New sign-in'));
  } catch {
    return [];
  }
}
async function mailTo(email: string): Promise<string> {
  await expect.poll(() => mails().filter((mail) => mail.includes(email))).toHaveLength(1);
  return mails().find((mail) => mail.includes(email)) ?? '';
}
/** The token of the one email to an address. */
async function tokenFor(email: string): Promise<string> {
  const mail = (await mailTo(email)).replaceAll('=\r\n', '');
  return /https:\/\/clients\.example\.test\/reset-password#([\w-]{43})/.exec(mail)?.[1] ?? '';
}
const jobsLeft = async () =>
  Number(
    (await server.pool.query('select count(*) from graphile_worker.jobs where run_at <= now()')).rows[0]
      .count,
  );

let people = 0;
async function someone() {
  people += 1;
  return buildClient(server.database, { ...name, email: `Someone${people}@example.test`, password: old });
}

describe('a first password', () => {
  test('a client who chooses a password through a link is reported as activated if they had none', async () => {
    const withPassword = await someone();
    const invited = await buildClient(server.database, { ...name, email: 'Invited@example.test' });
    for (const { email } of [withPassword, invited, invited]) {
      await expect.poll(jobsLeft).toBe(0);
      rmSync(join(folder, 'outbox'), { recursive: true, force: true });
      await ask(email);
      expect((await reset(await tokenFor(email))).statusCode).toBe(204);
    }
    const { rows } = await server.pool.query(
      'select type, client_id from client_changes where client_id = any($1)',
      [[withPassword.id, invited.id]],
    );
    expect(rows).toEqual([{ type: 'client.activated', client_id: invited.id }]);
  });
});

describe('forgotten password', () => {
  test('a forgotten password is reset through a link that works once and ends every session', async () => {
    const { id, email } = await someone();
    const before = await server.signInAs(id);
    expect((await ask(email.toUpperCase())).statusCode).toBe(204);
    const token = await tokenFor(email);
    expect((await reset(token)).statusCode).toBe(204);
    expect((await signIn(email, old)).statusCode).toBe(401);
    expect((await signIn(email, chosen)).statusCode).toBe(200);
    expect((await server.app.inject({ url: '/api/client', headers: before })).statusCode).toBe(401);
    const again = await reset(token, 'another one that is long enough');
    expect({ status: again.statusCode, code: again.json().code }).toEqual({
      status: 409,
      code: 'link_expired',
    });
    expect((await signIn(email, chosen)).statusCode).toBe(200);
    await expect
      .poll(() => mails().filter((mail) => mail.includes('Your password was changed')))
      .toHaveLength(1);
  });

  test('a request for a password link answers the same for known and unknown addresses, and emails only known clients', async () => {
    const { email } = await someone();
    const [known, unknown] = [await ask(email), await ask('unknown@example.test')];
    expect({ status: unknown.statusCode, body: unknown.body }).toEqual({
      status: known.statusCode,
      body: known.body,
    });
    await mailTo(email);
    await expect.poll(jobsLeft).toBe(0);
    expect(mails()).toHaveLength(1);
  });

  test('a used password link invalidates every other link of the client', async () => {
    const { email } = await someone();
    await ask(email);
    const first = await tokenFor(email);
    rmSync(join(folder, 'outbox'), { recursive: true, force: true });
    await ask(email);
    const second = await tokenFor(email);
    expect(second).not.toBe(first);
    expect([await isOpen(first), await isOpen(second)]).toEqual([true, true]);
    expect((await reset(second)).statusCode).toBe(204);
    expect((await reset(first)).json().code).toBe('link_expired');
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, false]);
  });

  test('a password link stays valid when the new password is rejected with a reason', async () => {
    const { email } = await someone();
    await ask(email);
    const token = await tokenFor(email);
    const refused = await reset(token, 'password1234');
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors.password).toHaveLength(1);
    expect((await reset(token)).statusCode).toBe(204);
  });

  test('a client cannot choose their own email address, name or case reference as password', async () => {
    const { clientId, reference } = await buildCase(server.database);
    const [{ email, first_name, last_name }] = (
      await server.pool.query('select email, first_name, last_name from clients where id = $1', [clientId])
    ).rows;
    await ask(email);
    const token = await tokenFor(email);
    const choices = [email, `${first_name} ${last_name} 1234567`, `${reference}-${reference}-1`];
    for (const choice of choices) {
      const refused = await reset(token, choice.padEnd(15, '!'));
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors.password[0]).toContain('your name, your email address or a reference');
    }
  });

  test('limits rejected new passwords by account, across links and addresses', async () => {
    const { email } = await someone();
    const tokens = [];
    for (let links = 0; links < 2; links += 1) {
      rmSync(join(folder, 'outbox'), { recursive: true, force: true });
      await ask(email, `198.51.100.${links}`);
      tokens.push(await tokenFor(email));
    }
    const statuses = [];
    for (let tries = 0; tries < 12; tries += 1)
      statuses.push((await reset(tokens[tries % 2] ?? '', 'password123456789')).statusCode);
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
  });

  test('accepts only one of two concurrent resets with the same password link', async () => {
    const { email } = await someone();
    await ask(email);
    const token = await tokenFor(email);
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((word) => reset(token, `${word} brass hinges and a gate`)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409, 409]);
  });

  test('a password link that a client asked for expires after an hour, and one that the firm sent after 24', async () => {
    const { email } = await someone();
    await ask(email);
    const token = await tokenFor(email);
    const ageBy = (hours: number) =>
      server.pool.query(
        `update password_links set expires_at = expires_at - $2 * interval '1 hour' where token_hash = $1`,
        [hashToken(token), hours],
      );
    await ageBy(0.9);
    expect(await isOpen(token)).toBe(true);
    await ageBy(0.1);
    expect(await isOpen(token)).toBe(false);
    expect((await reset(token)).json().code).toBe('link_expired');

    const invited = await someone();
    await requestPasswordLink(server.database, invited.email, 'invitation');
    await tokenFor(invited.email);
    const { rows } = await server.pool.query(
      `select extract(epoch from expires_at - l.created_at)::int / 3600 as hours
       from password_links l join clients c on c.id = l.client_id where c.email = $1`,
      [invited.email],
    );
    expect(rows).toEqual([{ hours: 24 }]);
  });

  test('a password link can be checked any number of times without being consumed', async () => {
    const { email } = await someone();
    await ask(email);
    const token = await tokenFor(email);
    for (let count = 0; count < 30; count += 1) expect(await isOpen(token, '198.51.100.7')).toBe(true);
    expect((await reset(token)).statusCode).toBe(204);
  });

  test('throttles guessing of password links and answers the same for unknown and expired ones', async () => {
    const address = '198.51.100.8';
    for (let count = 0; count < 20; count += 1) expect(await isOpen(`guess-${count}`, address)).toBe(false);
    const refused = await post('/password/check-link', { token: 'guess' }, address);
    expect({ status: refused.statusCode, code: refused.json().code }).toEqual({
      status: 429,
      code: 'too_many_requests',
    });
  });

  test('sends at most five password links an hour without revealing the limit', async () => {
    const { id, email } = await someone();
    await server.pool.query(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       select sha256(n::text::bytea), $1, 'forgotten', now(), now() + interval '1 day' from generate_series(1, 5) n`,
      [id],
    );
    expect((await ask(email)).statusCode).toBe(204);
    await expect.poll(jobsLeft).toBe(0);
    expect(mails()).toEqual([]);
  });

  test('a new password link deletes those that expired 90 days ago, except invitations without an answer', async () => {
    const { id, email } = await someone();
    const invited = await buildClient(server.database, name);
    const links = [
      ['forgotten', id, 91],
      ['invitation', id, 91],
      ['forgotten', invited.id, 91],
      ['forgotten', id, 89],
      ['invitation', invited.id, 91],
    ];
    for (const [index, [purpose, client, days]] of links.entries())
      await server.pool.query(
        `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
         select sha256($1::text::bytea), $2, $3, ended - interval '1 hour', ended
         from (select now() - $4 * interval '1 day' as ended) as link`,
        [`old ${index}`, client, purpose, days],
      );
    await ask(email);
    await mailTo(email);
    const left = await server.pool.query(
      `select purpose, client_id from password_links where client_id = any($1) and expires_at < now()
       order by purpose`,
      [[id, invited.id]],
    );
    expect(left.rows).toEqual([
      { purpose: 'forgotten', client_id: id },
      { purpose: 'invitation', client_id: invited.id },
    ]);
  });

  test('throttles requests for password links by email and says when to retry', async () => {
    const { email } = await someone();
    for (let count = 0; count < 5; count += 1) {
      expect((await ask(email, `203.0.113.${count}`)).statusCode).toBe(204);
    }
    const refused = await ask(email, '203.0.113.9');
    expect({ status: refused.statusCode, code: refused.json().code }).toEqual({
      status: 429,
      code: 'too_many_requests',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Signing in has a separate limit.
    expect((await signIn(email, old)).statusCode).toBe(200);
  });

  test('the token of a password link is stored in no table', async () => {
    const { email } = await someone();
    await ask(email);
    const token = await tokenFor(email);
    const { rows } = await server.pool.query(
      `select table_schema as schema, table_name as name from information_schema.tables
       where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
    );
    for (const { schema, name: table } of rows) {
      const found = await server.pool.query(
        `select count(*)::int as found from ${schema}."${table}" t where t::text like '%' || $1 || '%'`,
        [token],
      );
      expect(found.rows[0].found, `${schema}.${table}`).toBe(0);
    }
  });

  test('throttles attempts to set a password with unknown tokens', async () => {
    const address = '198.51.100.9';
    const answers = [];
    for (let count = 0; count < 21; count += 1) {
      answers.push(await post('/password/reset', { token: `guess-${count}`, password: chosen }, address));
    }
    expect(answers.slice(0, 20).map((answer) => answer.json().code)).toEqual(Array(20).fill('link_expired'));
    expect(answers[20]?.json().code).toBe('too_many_requests');
    expect(Number(answers[20]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('setting a password makes the device known, so that a client under attack can always sign in with a link', async () => {
    const { email } = await someone();
    const before = await signIn(email, old);
    await ask(email);
    const answer = await reset(await tokenFor(email));
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-keyturn-device=.*; HttpOnly; .*; Secure$/);
    for (let n = 1; n <= 5; n++) await signIn(email, 'a wrong password');
    const signInWith = (device: string) =>
      post('/login', { email, password: chosen }, undefined, { cookie: device });
    expect((await signInWith(cookie)).statusCode).toBe(200);
    // The change of password removed the known devices.
    expect((await signInWith(String(before.headers['set-cookie']).split(';')[0] ?? '')).statusCode).toBe(429);
  });

  test.each(['', 'x'.repeat(200), '../../etc/passwd'])(
    'rejects the token %j of a password link',
    async (token) => {
      const answer = await reset(token);
      expect([409, 422]).toContain(answer.statusCode);
    },
  );
});

describe('a run of wrong passwords', () => {
  /** Makes all earlier failures an hour older, so that no attempt is throttled. */
  const passAnHour = () =>
    server.pool.query("update login_failures set failed_at = failed_at - interval '1 hour'");
  const wrongPasswords = async (email: string, from: number, to: number) => {
    for (let n = from; n <= to; n += 1) {
      await passAnHour();
      expect((await post('/login', { email, password: `guess ${n}` }, `203.0.113.${n}`)).statusCode).toBe(
        401,
      );
    }
  };

  test('emails the client once about a run of wrong passwords, whether it continues or starts again on the same day', async () => {
    const { email } = await someone();
    await wrongPasswords(email, 1, 9);
    expect(mails()).toEqual([]);
    await wrongPasswords(email, 10, 14);
    expect(await mailTo(email)).toContain('Someone tried to sign in to your account');
    await passAnHour();
    expect((await signIn(email, old)).statusCode).toBe(200);
    await wrongPasswords(email, 15, 26);
    await expect.poll(jobsLeft).toBe(0);
    expect(mails()).toHaveLength(1);
  });

  test('wrong passwords for an unknown address get the same answers and email no one', async () => {
    await wrongPasswords('unknown@example.test', 1, 12);
    await expect.poll(jobsLeft).toBe(0);
    expect(mails()).toEqual([]);
  });
});

describe('invitation', () => {
  const invite = async (...args: string[]) => {
    const parsed = parseCommand(clientCommand, ['invite', ...args]);
    const lines: string[] = [];
    const dependencies = { database: server.database, clock: () => new Date() };
    const code = await runClientCommand(dependencies, parsed, (line) => lines.push(line));
    return { code, lines };
  };

  test('an invitation lets a client set their first password', async () => {
    const { email } = await buildClient(server.database, name);
    expect((await signIn(email, chosen)).statusCode).toBe(401);
    expect(await invite(email.toUpperCase())).toEqual({ code: 0, lines: ['1 invited'] });
    expect((await reset(await tokenFor(email))).statusCode).toBe(204);
    expect((await signIn(email, chosen)).statusCode).toBe(200);
  });

  test('an invitation goes to every client without a password, and to no one else', async () => {
    await server.pool.query("update clients set password_hash = 'x' where password_hash is null");
    const fresh = [await buildClient(server.database, name), await buildClient(server.database, name)];
    const erased = await buildClient(server.database, name);
    await server.pool.query('update clients set disabled_at = now(), erased_at = now() where id = $1', [
      erased.id,
    ]);
    expect(await invite('--all')).toEqual({ code: 0, lines: ['2 invited'] });
    for (const { email } of fresh) expect(await mailTo(email)).toContain('See your case online');
  });

  test('keyturn client invite reports unknown email addresses', async () => {
    expect(await invite('unknown@example.test')).toEqual({
      code: 1,
      lines: ['unknown@example.test: no client has this email address', '0 invited'],
    });
  });

  test.each([[[]], [['invite']], [['invite', '--all', 'a@b.test']], [['dance', 'a']], [['invite', '--x']]])(
    'keyturn client invite rejects the arguments %j',
    (args) => {
      expect(() => parseCommand(clientCommand, args)).toThrow(/give |unknown|outputHelp/);
    },
  );
});

describe('reset of the sign-in by command', () => {
  const run = async (...args: string[]) => {
    const parsed = parseCommand(clientCommand, ['reset-sign-in', ...args]);
    const lines: string[] = [];
    const dependencies = { database: server.database, clock: () => new Date() };
    return { code: await runClientCommand(dependencies, parsed, (line) => lines.push(line)), lines };
  };

  test('a client whose sign-in was reset starts again with the link in the email', async () => {
    const { id, email } = await someone();
    const before = await server.signInAs(id);
    expect(await run(email.toUpperCase(), '--identity-check', 'in_person')).toMatchObject({ code: 0 });
    expect((await signIn(email, old)).statusCode).toBe(401);
    expect((await server.app.inject({ url: '/api/client', headers: before })).statusCode).toBe(401);
    expect(await mailTo(email)).toContain('Your sign-in was reset');
    expect((await reset(await tokenFor(email))).statusCode).toBe(204);
    expect((await signIn(email, chosen)).statusCode).toBe(200);
    const { rows } = await server.pool.query(
      "select actor_kind, after from audit_entries where subject_id = $1 and action = 'client.sign_in_reset'",
      [id],
    );
    expect(rows).toEqual([{ actor_kind: 'command_line', after: { identity_check: 'in_person' } }]);
  });

  test('a reset by command can restore the address that someone else replaced, and emails the link there', async () => {
    const { id, email } = await someone();
    const check = ['--identity-check', 'called_back', '--restore-address'];
    expect(await run(email, ...check)).toMatchObject({ code: 1 });
    const thief = `thief-of-${email}`;
    await server.pool.query('update clients set email = $2, replaced_feed_email = $3 where id = $1', [
      id,
      thief,
      email,
    ]);
    expect(await run(thief, ...check)).toMatchObject({ code: 0 });
    expect(await mailTo(email)).toContain('Your sign-in was reset');
    const { rows } = await server.pool.query('select email, replaced_feed_email from clients where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ email, replaced_feed_email: null }]);
    expect((await signIn(thief, old)).statusCode).toBe(401);
    expect((await reset(await tokenFor(email))).statusCode).toBe(204);
    expect((await signIn(email, chosen)).statusCode).toBe(200);
  });

  test('a reset by command needs a known address, and the way in which the identity was checked', async () => {
    expect(await run('unknown@example.test', '--identity-check', 'called_back')).toEqual({
      code: 1,
      lines: ['unknown@example.test: no client has this email address'],
    });
    for (const args of [['a@b.test'], ['a@b.test', '--identity-check', 'email']])
      await expect(run(...args)).rejects.toThrow(/identity-check/);
  });
});

describe('disabled client', () => {
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const dependencies = { database: server.database, clock: () => new Date() };
    const invite = (email: string) => runClientCommand(dependencies, { emails: [email], all: false }, print);
    const [name, email = ''] = args;
    if (name === 'invite') return { code: await invite(email), lines };
    const command = (run: Parameters<typeof addClientAccessCommands>[1]) =>
      addClientAccessCommands(new Command(), run);
    return { code: await runClientAccess(dependencies, parseCommand(command, args), print), lines };
  };

  test('a disabled client gets the same answer as for a wrong password and no emails, and earlier links and sessions stop working', async () => {
    const { id, email } = await buildClient(server.database, { ...name, password: old });
    await ask(email, '198.51.100.7');
    const token = await tokenFor(email);
    const session = await server.signInAs(id);
    const readCase = () => server.app.inject({ url: '/api/client', headers: session });
    expect((await readCase()).statusCode).not.toBe(401);
    const wrong = await signIn(email, 'not the password');

    expect(await run('disable', email)).toEqual({ code: 0, lines: ['1 disabled'] });
    const refused = await signIn(email, old);
    expect([refused.statusCode, refused.json()]).toEqual([wrong.statusCode, wrong.json()]);
    expect((await readCase()).statusCode).toBe(401);
    expect((await reset(token)).json()).toMatchObject({ code: 'link_expired' });
    await ask(email, '198.51.100.7');
    await expect.poll(jobsLeft).toBe(0);
    expect(mails().filter((mail) => mail.includes(email))).toHaveLength(1);
    expect(await run('invite', email)).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('is disabled'), '0 invited'],
    });
    expect(await run('disable', email)).toMatchObject({ code: 1 });

    expect(await run('enable', email)).toEqual({ code: 0, lines: ['1 enabled'] });
    expect((await readCase()).statusCode).toBe(401);
    expect((await signIn(email, old)).statusCode).toBe(200);
  });

  test('a command signs clients out everywhere', async () => {
    const { id, email } = await buildClient(server.database, name);
    const session = await server.signInAs(id);
    expect(await run('end-sessions', email, 'unknown@example.test')).toEqual({
      code: 1,
      lines: ['unknown@example.test: no client has this email address', '1 signed out'],
    });
    expect((await server.app.inject({ url: '/api/client', headers: session })).statusCode).toBe(401);
    await server.signInAs(id);
    expect((await run('end-sessions', '--all')).code).toBe(0);
    const { rows } = await server.pool.query('select from sessions where revoked_at is null');
    expect(rows).toEqual([]);
  });
});

describe('password email', () => {
  test('fault 59: a password email names the client in any script, and says when the link expires and what we never ask for', async () => {
    const { email } = await someone();
    await ask(email);
    const mail = await mailTo(email);
    expect(mail).toMatch(/^From: "?Alder & Finch"? <no-reply@keyturn\.invalid>\r$/m);
    expect(mail).toMatch(/^Subject: Reset your password\r$/m);
    const text = decodeQuotedPrintable(mail);
    expect(text).toContain('Hello Zoë 李,');
    expect(text).toContain('The link works once and expires after an hour.');
    expect(text).toContain('If anyone tells you that our bank details have changed');
    // The addressee's name, encoded for a header.
    expect(mail).toMatch(/^To: =\?UTF-8\?/m);
  });
});

/** Decodes each part, quoted-printable or base64. */
function decodeQuotedPrintable(mail: string): string {
  return mail
    .split(/\r\n--[^\r\n]+/)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const content = body.join('\r\n\r\n');
      if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8');
      const bytes = content
        .replaceAll('=\r\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, 'latin1').toString('utf8');
    })
    .join('\n');
}
