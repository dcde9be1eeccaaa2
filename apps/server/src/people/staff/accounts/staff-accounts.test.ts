import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createTestServer, parseCommand, type TestServer } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import { verifyAudit } from '../../../records/audit/verify-audit.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { changeStaffRole, disableStaff, type ManagedBy } from './manage-staff.ts';
import { runStaffCommand, type StaffCommand, staffCommand } from './staff-command.ts';
import { staffInvitationHandler } from './staff-mail.ts';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-staff-'));
  server = await createTestServer({
    env: { KEYTURN_DATA_DIR: folder, KEYTURN_PUBLIC_URL: 'https://clients.example.test' },
  });
});
afterAll(async () => {
  expect(await verifyAudit(server.database)).toMatchObject({ isIntact: true });
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const clock = () => new Date();
const rows = async (sql: string, values: unknown[] = []) => (await server.pool.query(sql, values)).rows;
const jobsLeft = async () =>
  (await rows('select count(*)::int as jobs from graphile_worker.jobs where run_at <= now()'))[0].jobs;

async function staff(...args: string[]) {
  const lines: string[] = [];
  const parsed = parseCommand<StaffCommand>(staffCommand, args);
  const code = await runStaffCommand({ database: server.database, clock }, parsed, (line) =>
    lines.push(line),
  );
  return { code, text: lines.join('\n') };
}

/** The tokens of the links in all emails to an address, the oldest first. */
async function tokensFor(email: string): Promise<string[]> {
  await expect.poll(jobsLeft, { timeout: 10_000 }).toBe(0);
  const outbox = join(folder, 'outbox');
  const mails = readdirSync(outbox)
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8').replaceAll('=\r\n', ''))
    .filter((mail) => mail.includes(email));
  return mails.flatMap(
    (mail) => /https:\/\/clients\.example\.test\/desk\/invitation#([\w-]{43})/.exec(mail)?.[1] ?? [],
  );
}

const stateOf = async (email: string) =>
  (await rows('select id, name, role, state from staff where email = $1', [email]))[0];
const openLinks = (email: string) =>
  rows(
    `select token_hash from staff_invitations i join staff s on s.id = i.staff_id
     where email = $1 and used_at is null and withdrawn_at is null`,
    [email],
  );
const actionsOn = async (id: string) =>
  (
    await rows(
      `select action from audit_entries join audit_links on entry_id = id
       where subject_id = $1 order by position`,
      [id],
    )
  ).map(({ action }) => action);

async function activate(email: string, role: string) {
  await staff('invite', email, '--role', role, '--name', 'A Member');
  await expect.poll(jobsLeft, { timeout: 10_000 }).toBe(0);
  await rows(
    `update staff set state = 'active', password_hash = 'a hash', accepted_at = now() where email = $1`,
    [email],
  );
  const { id } = await stateOf(email);
  await rows(
    `insert into staff_sessions (token_hash, id, staff_id, created_at, last_used_at, expires_at, confirmed_at, address)
     values (sha256($1), gen_random_uuid(), $2, now(), now(), now() + interval '8 hours', now(), '203.0.113.7')`,
    [Buffer.from(id), id],
  );
  return id as string;
}

describe('keyturn staff', () => {
  test('keyturn staff invites by email with a link that works for 72 hours, and stores only its hash', async () => {
    const email = 'dana@firm.test';
    expect(await staff('invite', email, '--role', 'admin')).toEqual({
      code: 0,
      text: `${email} is invited as admin. The link expires 72 hours after it is sent.`,
    });
    const [token = '', ...others] = await tokensFor(email);
    expect(others).toEqual([]);
    const [link] = await rows(
      'select token_hash, expires_at - created_at as lifetime, i::text as stored from staff_invitations i',
    );
    expect(link.token_hash).toEqual(hashToken(token));
    expect(link.lifetime).toMatchObject({ days: 3 });
    expect(link.stored).not.toContain(token);
    expect((await staff('list')).text).toContain(`${email}  ""  admin  invited  invitation expires 20`);
    expect(
      await rows(
        `select actor_kind, actor_name, action, after from audit_entries where action = 'staff.invited'`,
      ),
    ).toMatchObject([
      { actor_kind: 'command_line', actor_name: userInfo().username, after: { role: 'admin' } },
    ]);
  });

  test('sends an invitation again, after which the earlier link no longer works', async () => {
    const email = 'Again@firm.test';
    await staff('invite', email, '--role', 'handler');
    const [first = ''] = await tokensFor(email);
    expect((await staff('invite', 'again@FIRM.test', '--role', 'finance')).code).toBe(0);
    const [, second = ''] = await tokensFor(email);
    expect((await openLinks(email)).map(({ token_hash }) => token_hash)).toEqual([hashToken(second)]);
    expect(second).not.toBe(first);
    expect(await stateOf(email)).toMatchObject({ role: 'finance', state: 'invited' });
  });

  test('fault 47: keeps only the invitation link that was stored last, even if the clock of its server is late', async () => {
    const email = 'late-clock@firm.test';
    await staff('invite', email, '--role', 'handler');
    await tokensFor(email);
    const { id: staffId } = await stateOf(email);
    const sent: string[] = [];
    const { work } = staffInvitationHandler({
      database: server.database,
      mailer: {
        send: async ({ action }) => {
          sent.push(action?.url.split('#')[1] ?? '');
          return '<a-mail@firm.test>';
        },
      },
      clock: () => new Date(Date.now() - 60_000),
      dashboardUrl: () => 'https://clients.example.test',
    });
    await work({ staffId });
    expect((await openLinks(email)).map(({ token_hash }) => token_hash)).toEqual(sent.map(hashToken));
  });

  test('stores no link for a member who is disabled before the email is sent', async () => {
    const email = 'disabled-meanwhile@firm.test';
    await staff('invite', email, '--role', 'handler');
    await tokensFor(email);
    const { id: staffId } = await stateOf(email);
    const { work } = staffInvitationHandler({
      database: server.database,
      mailer: { send: async () => '<a-mail@firm.test>' },
      clock,
      dashboardUrl: () => 'https://clients.example.test',
    });
    const { sending } = await server.database.transaction(async (transaction) => {
      // Locks in the same way as `disableStaff`.
      await transaction.execute(sql`select from staff where id = ${staffId} for update`);
      const started = work({ staffId });
      await untilBlocked(server);
      await transaction.execute(sql`update staff set state = 'disabled' where id = ${staffId}`);
      await transaction.execute(
        sql`update staff_invitations set withdrawn_at = now() where staff_id = ${staffId} and withdrawn_at is null`,
      );
      return { sending: started };
    });
    await sending;
    expect(await openLinks(email)).toEqual([]);
  });

  test('keeps only the link of the later of two concurrent invitations', async () => {
    const email = 'twice@firm.test';
    await staff('invite', email, '--role', 'handler');
    await tokensFor(email);
    const { id: staffId } = await stateOf(email);
    let bothSend = () => {};
    const bothAreSending = new Promise<void>((resolve) => {
      bothSend = resolve;
    });
    let sending = 0;
    const send = async () => {
      sending += 1;
      if (sending === 2) bothSend();
      await bothAreSending;
      return '<a-mail@firm.test>';
    };
    const now = new Date();
    const { work } = staffInvitationHandler({
      database: server.database,
      mailer: { send },
      clock: () => now,
      dashboardUrl: () => 'https://clients.example.test',
    });
    await Promise.all([work({ staffId }), work({ staffId })]);
    expect(await openLinks(email)).toHaveLength(1);
  });

  test('keyturn staff does not invite a member who already has a sign-in', async () => {
    const id = await activate('present@firm.test', 'finance');
    expect(await staff('invite', 'present@firm.test', '--role', 'admin')).toEqual({
      code: 1,
      text: 'There is already a staff member with this email address. If they are disabled, enable them.',
    });
    expect(await stateOf('present@firm.test')).toMatchObject({ role: 'finance' });
    await rows('delete from staff_sessions where staff_id = $1', [id]);
    expect((await staff('list')).text).toContain('authenticator apps 0, no sign-in in the last 90 days');
  });

  test('withdraws the invitation of a member who is disabled, and invites them when they are enabled', async () => {
    const email = 'withdrawn@firm.test';
    await staff('invite', email, '--role', 'handler');
    await tokensFor(email);
    expect((await staff('disable', email)).text).toBe(
      `${email} is disabled and can no longer accept their invitation.`,
    );
    expect(await openLinks(email)).toEqual([]);
    expect(await stateOf(email)).toMatchObject({ state: 'disabled' });
    expect((await staff('enable', email)).text).toBe(`${email} is invited again.`);
    expect(await tokensFor(email)).toHaveLength(2);
    expect(await openLinks(email)).toHaveLength(1);
  });

  test('ends the sessions of a member who is disabled, changes role, or is reset', async () => {
    const by: ManagedBy = {
      actor: { kind: 'system', id: null, name: 'a test' },
      address: '203.0.113.9',
      mayRemoveLastAdmin: true,
    };
    const dependencies = { database: server.database, clock };
    const changes: Record<string, (id: string, email: string) => Promise<unknown>> = {
      disabled: (id) => disableStaff(dependencies, id, by),
      role_changed: (id) => changeStaffRole(dependencies, { id, role: 'finance' }, by),
      factors_reset: (_id, email) => staff('reset-factors', email),
      sessions_ended: (_id, email) => staff('end-sessions', email),
    };
    for (const [action, change] of Object.entries(changes)) {
      const email = `${action}@firm.test`;
      const id = await activate(email, 'handler');
      expect((await staff('sessions', email)).text).toContain('203.0.113.7');
      await change(id, email);
      expect((await staff('sessions', email)).text, action).toBe(`${email} is not signed in.`);
      expect(await actionsOn(id)).toEqual(['staff.invited', `staff.${action}`]);
    }
  });

  test('resets a member to an invitation, without password and second factors', async () => {
    const email = 'lost-phone@firm.test';
    const id = await activate(email, 'handler');
    await rows(
      `insert into staff_factors (id, staff_id, kind, name, created_at, active_at, secret)
       values (gen_random_uuid(), $1, 'authenticator', 'Phone', now(), now(), 'x')`,
      [id],
    );
    expect((await staff('list')).text).toMatch(
      /lost-phone@firm\.test {2}"A Member" {2}handler {2}active {2}passkeys 0, authenticator apps 1, last signed in 20/,
    );
    expect((await staff('reset-factors', email)).code).toBe(0);
    expect(await rows('select password_hash, state from staff where id = $1', [id])).toEqual([
      { password_hash: null, state: 'invited' },
    ]);
    expect(await rows('select from staff_factors where staff_id = $1', [id])).toEqual([]);
    expect(await tokensFor(email)).toHaveLength(2);
  });

  test('keyturn staff names an unknown member', async () => {
    for (const name of ['disable', 'enable', 'reset-factors', 'sessions', 'end-sessions']) {
      expect(await staff(name, 'unknown@firm.test')).toEqual({
        code: 1,
        text: 'unknown@firm.test: no staff member has this email address',
      });
    }
  });

  test('keyturn staff accepts only an email address and a known role', () => {
    expect(() => parseCommand<StaffCommand>(staffCommand, ['invite', 'dana', '--role', 'admin'])).toThrow(
      /email address/,
    );
    expect(() => parseCommand<StaffCommand>(staffCommand, ['invite', 'd@firm.test'])).toThrow(/--role/);
    expect(() =>
      parseCommand<StaffCommand>(staffCommand, ['invite', 'd@firm.test', '--role', 'owner']),
    ).toThrow(/handler, finance, admin/);
  });
});

describe('the last active admin', () => {
  test('the last active admin is kept when two admins remove each other concurrently', async () => {
    await rows(`update staff set state = 'disabled' where state = 'active' and role = 'admin'`);
    const [first, second] = [
      await activate('one@firm.test', 'admin'),
      await activate('two@firm.test', 'admin'),
    ];
    const dependencies = { database: server.database, clock };
    const by = (id: string): ManagedBy => ({
      actor: { kind: 'staff', id, name: 'An Admin' },
      address: '203.0.113.9',
      mayRemoveLastAdmin: false,
    });
    // Both have started, and are waiting, before either can finish.
    const changes = await server.database.transaction(async (transaction) => {
      await transaction.execute(sql`select from staff where id in (${first}, ${second}) for update`);
      const started = [
        changeStaffRole(dependencies, { id: first, role: 'handler' }, by(second)),
        disableStaff(dependencies, second, by(first)),
      ];
      await untilBlocked(server, 2);
      return started;
    });
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'last_admin' },
    });
    expect(await rows(`select from staff where role = 'admin' and state = 'active'`)).toHaveLength(1);
  });
});
