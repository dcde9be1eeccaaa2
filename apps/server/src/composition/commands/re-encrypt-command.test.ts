import { randomUUID } from 'node:crypto';
import { buildClient, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { factorSecrets, type StaffKeys } from '../../live/shared-resources/factor-secrets.ts';
import { shareStaffKey } from '../../live/shared-resources/shared-resources.ts';
import type { AccountKind } from '../../platform/credentials/account-kind.ts';
import { clientFactorTables, staffFactorTables } from '../../schema/tables/factor-tables.ts';
import { installation } from '../../schema/tables/tables.ts';
import { buildStaff } from '../../testing/serve-staff.ts';
import { runReEncrypt } from './re-encrypt-command.ts';

const stored = withTestDatabase();
const formerKey = 'f'.repeat(32);
const newKey = 'n'.repeat(32);
const before: StaffKeys = { staffKey: formerKey, formerStaffKey: null };
const between = { staffKey: newKey, formerStaffKey: formerKey };
const after = { staffKey: newKey, formerStaffKey: null };

/** Adds an authenticator app while servers have these settings. @returns whether servers with other ones can read it */
async function addApp(accountKind: AccountKind, settings: Parameters<typeof factorSecrets>[1]) {
  const { factors } = accountKind === 'staff' ? staffFactorTables : clientFactorTables;
  const owner = await (accountKind === 'staff'
    ? buildStaff(stored, { role: 'admin', withFactor: false })
    : buildClient(stored.database));
  const id = randomUUID();
  const [{ secret = '' } = {}] = await stored.database.select().from(installation);
  const sealed = factorSecrets(secret, settings, accountKind).seal(Buffer.from('an app'), id);
  await stored.database.insert(factors).values({
    id,
    ownerId: owner.id,
    kind: 'authenticator',
    name: 'Phone',
    createdAt: new Date(),
    activeAt: new Date(),
    secret: sealed,
  });
  return async (other: Parameters<typeof factorSecrets>[1]) => {
    const [row] = (await stored.database.select().from(factors)).filter((factor) => factor.id === id);
    const opened = row?.secret && factorSecrets(secret, other, accountKind).open(row.secret, id);
    return opened?.toString() === 'an app';
  };
}

test('changes the key of authenticator apps while servers with the former and the new key run', async () => {
  const apps = [
    await addApp('staff', before),
    await addApp('client', before),
    await addApp('client', between),
    await addApp('client', { staffKey: null, formerStaffKey: null }),
  ];
  const readableWith = (settings: Parameters<typeof factorSecrets>[1]) =>
    Promise.all(apps.map((isReadable) => isReadable(settings)));
  const lines: string[] = [];
  const reEncrypt = (settings: Parameters<typeof factorSecrets>[1]) => {
    lines.length = 0;
    return runReEncrypt(stored.database, settings, (line) => lines.push(line));
  };
  const startServer = (settings: StaffKeys) => shareStaffKey(stored.database, settings);
  const lostKey = { staffKey: 'l'.repeat(32), formerStaffKey: null };
  await expect(startServer(lostKey)).rejects.toThrow(
    'KEYTURN_STAFF_KEY does not decrypt the authenticator apps in this database: set the value that',
  );
  // Refused servers must not make their key the expected one.
  await startServer(before);
  expect(await readableWith(between)).toEqual([true, true, true, false]);
  expect(await readableWith(after)).toEqual([false, false, true, false]);

  expect(await reEncrypt(between)).toBe(1);
  expect(lines).toEqual([
    'Authenticator apps of staff: 1 encrypted with the new key, 0 already up to date, 0 unreadable.',
    'Authenticator apps of clients: 1 encrypted with the new key, 1 already up to date, 1 unreadable.',
    'Set KEYTURN_FORMER_STAFF_KEY to the key that they were encrypted with, and run this again.',
  ]);
  expect(await readableWith(after)).toEqual([true, true, true, false]);

  await startServer(before);
  expect(await reEncrypt({ staffKey: newKey, formerStaffKey: '' })).toBe(0);
  await startServer(after);
  await expect(startServer(before)).rejects.toThrow('KEYTURN_STAFF_KEY is not the one');
  expect(await readableWith(after)).toEqual([true, true, true, true]);
  expect(await reEncrypt(after)).toBe(0);
  expect(lines[1]).toContain('0 encrypted with the new key, 3 already up to date');
});
