import { factorSecrets, type StaffKeys } from '../../live/shared-resources/factor-secrets.ts';
import { recordStaffKey } from '../../live/shared-resources/shared-resources.ts';
import { reEncryptSecrets } from '../../people/credentials/factors/re-encrypt-secrets.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Database } from '../../platform/database.ts';
import { clientFactorTables, staffFactorTables } from '../../schema/tables/factor-tables.ts';
import { installation } from '../../schema/tables/tables.ts';
import type { DefineCommand } from './command-context.ts';

/** Defines `keyturn re-encrypt`. */
export const reEncrypt: DefineCommand = ({ run, runInstalled, print }) =>
  createCommand('re-encrypt')
    .description('Encrypt the secrets of authenticator apps with a new KEYTURN_STAFF_KEY.')
    .action(run(() => runInstalled(({ database, settings }) => runReEncrypt(database, settings, print))));

/**
 * Encrypts the secrets of all authenticator apps with the current key, which all servers must then have.
 * @returns 1 if a secret cannot be decrypted
 */
export async function runReEncrypt(
  database: Database,
  settings: StaffKeys,
  print: (line: string) => void,
): Promise<0 | 1> {
  const [installed] = await database.select({ secret: installation.secret }).from(installation);
  if (!installed) throw new Error('the installation table has no row');
  let unreadable = 0;
  for (const [accountKind, tables] of [
    ['staff', staffFactorTables],
    ['client', clientFactorTables],
  ] as const) {
    const secrets = factorSecrets(installed.secret, settings, accountKind);
    const result = await reEncryptSecrets(database, tables, secrets);
    const owners = accountKind === 'staff' ? 'staff' : 'clients';
    print(
      `Authenticator apps of ${owners}: ${result.changed} encrypted with the new key, ${result.unchanged} already up to date, ${result.unreadable} unreadable.`,
    );
    unreadable += result.unreadable;
  }
  if (unreadable > 0) {
    print('Set KEYTURN_FORMER_STAFF_KEY to the key that they were encrypted with, and run this again.');
    return 1;
  }
  await recordStaffKey(database, settings.staffKey);
  return 0;
}
