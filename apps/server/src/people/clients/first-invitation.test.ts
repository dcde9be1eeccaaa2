import { buildClient, buildFirm, buildRegulation, withFreshTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import type { Mail } from '../../platform/mailer.ts';
import { runClientCommand } from './client-command.ts';
import { readMissingFirmData } from './first-invitation.ts';
import { passwordLinkHandler } from './password-link-mail.ts';

const stored = withFreshTestDatabase();
const clock = () => new Date('2026-11-23T09:00:00Z');

async function invite(...emails: string[]) {
  const lines: string[] = [];
  const parsed = { emails, all: emails.length === 0 };
  const code = await runClientCommand({ database: stored.database, clock }, parsed, (line) =>
    lines.push(line),
  );
  return { code, lines };
}

const enterAll = async () => {
  await buildFirm(stored.database);
  await buildRegulation(stored.database);
};

test('keyturn client invite refuses the first client with exit code 1, and prints all that the firm must still enter', async () => {
  const { email } = await buildClient(stored.database);
  const refused = await invite(email);
  expect(refused).toEqual({ code: 1, lines: [expect.stringMatching(/Trading name; .*Legal form; /)] });
  expect(await invite()).toEqual(refused);
  for (const name of (await readMissingFirmData(stored.database)).missing)
    expect(refused.lines[0]).toContain(name);
  await buildFirm(stored.database);
  await buildRegulation(stored.database, { insurer_name: null, complaints_email: null });
  expect((await invite(email)).lines[0]).toMatch(
    /Missing: Email address for complaints; Professional indemnity insurer\.$/,
  );
  await enterAll();
  expect(await invite(email)).toEqual({ code: 0, lines: ['1 invited'] });
});

test('a firm without a number at its regulator cannot invite its first client', async () => {
  await enterAll();
  await buildFirm(stored.database, { sra_number: '' });
  expect(await readMissingFirmData(stored.database)).toEqual({
    missing: ['Number at your regulator'],
    allows_invitations: false,
    lacks_payment_rules: false,
  });
});

test('a firm without a VAT number, terms or a badge can invite its first client once it has said that it has none', async () => {
  await buildFirm(stored.database, { vat_number: null });
  await buildRegulation(stored.database, { has_none_of: [] });
  expect((await readMissingFirmData(stored.database)).missing).toEqual([
    'VAT number',
    'Your own terms',
    'Code of your regulator’s badge',
  ]);
  await buildRegulation(stored.database, { has_none_of: ['vat_number', 'terms', 'badge_url'] });
  expect(await readMissingFirmData(stored.database)).toMatchObject({ missing: [], allows_invitations: true });
});

test('a firm whose clients have passwords from before can invite others', async () => {
  await buildClient(stored.database, { passwordHash: 'hash' });
  expect(await readMissingFirmData(stored.database)).toMatchObject({ allows_invitations: true });
});

test('a firm that invited a client before it entered what it must show continues to invite others', async () => {
  const { id, email } = await buildClient(stored.database);
  await stored.pool.query(
    `insert into audit_entries (id, occurred_at, actor_kind, actor_name, action, subject_kind, subject_id, content_hash)
     values (gen_random_uuid(), now(), 'command_line', 'rhian', 'client.invited', 'client', $1, sha256('x'))`,
    [id],
  );
  expect(await readMissingFirmData(stored.database)).toMatchObject({
    missing: expect.arrayContaining(['Legal form']),
    allows_invitations: true,
  });
  expect(await invite(email)).toEqual({ code: 0, lines: ['1 invited'] });
});

test('a client without a password gets no link from the sign-in page before the firm can invite clients', async () => {
  const sent: Mail[] = [];
  const { work } = passwordLinkHandler({
    database: stored.database,
    clock,
    mailer: { send: async (mail: Mail) => `message ${sent.push(mail)}` },
    dashboardUrl: () => 'https://clients.example.test',
  });
  const { email } = await buildClient(stored.database);
  const ask = () => work({ email, purpose: 'forgotten' });
  await ask();
  expect(sent).toEqual([]);
  await enterAll();
  await ask();
  expect(sent.map(({ to }) => to.address)).toEqual([email]);
});
