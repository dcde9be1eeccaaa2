import { Argument, type Command } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Connection } from '../../platform/database.ts';
import { type MoneyAccount, type ProviderName, providersByName } from '../../platform/provider-names.ts';
import type { ProviderChoice } from '../ports/provider.ts';
import { allProviders, isActive } from './find-provider.ts';
import { readRecordedAccounts, reassignAccount } from './provider-accounts-store.ts';

export type AccountsCommand =
  | { name: 'accounts' }
  | { name: 'assign account'; accountId: string; paysInto: MoneyAccount };

/** Defines `keyturn payments accounts`. */
export const accountsCommand = (run: (parsed: AccountsCommand) => Promise<void>): Command =>
  createCommand('accounts')
    .description(
      'Show which of the firm’s bank accounts each account at the provider pays into, or correct the record.',
    )
    .argument('[account]', 'the id of the account, such as acct_1ABC')
    .addArgument(new Argument('[pays-into]', 'the bank account that it pays into').choices(moneyAccounts))
    .addHelpText(
      'after',
      '\nExit codes: 0 the keys are right, 1 a key belongs to another account, 2 the provider is unavailable',
    )
    .action(
      (
        accountId: string | undefined,
        paysInto: MoneyAccount | undefined,
        _options: unknown,
        command: Command,
      ) => {
        if (accountId === undefined) return run({ name: 'accounts' });
        if (paysInto === undefined) return command.error("error: missing required argument 'pays-into'");
        return run({ name: 'assign account', accountId, paysInto });
      },
    );

const moneyAccounts: readonly MoneyAccount[] = ['client', 'business'];

/**
 * Runs `keyturn payments accounts`: compares the keys in the settings with the recorded accounts, after correcting
 * the record if the command requests it.
 * @returns the exit code: 0 the keys are right, 1 a key belongs to an account that is recorded for the other one
 * @throws ProviderUnavailable
 */
export async function runAccountsCommand(
  dependencies: ProviderChoice & { database: Connection; clock: Clock },
  command: AccountsCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  const { database, clock } = dependencies;
  const active = allProviders(dependencies).filter(({ name }) => isActive(dependencies, name));
  const current: { name: ProviderName; accountId: string }[] = [];
  for (const provider of active) {
    current.push({ name: provider.name, accountId: await provider.readAccountId() });
  }
  if (command.name === 'assign account') {
    const { accountId, paysInto } = command;
    if (!current.some((each) => each.accountId === accountId)) {
      print(`No key in the settings belongs to ${accountId}. Nothing was changed.`);
      return 1;
    }
    const provider = paysInto === 'client' ? 'stripe' : 'stripe_business';
    await reassignAccount(database, { accountId, provider, recordedAt: clock() });
  }
  const recorded = await readRecordedAccounts(database);
  let isRight = true;
  for (const { name, accountId } of current) {
    const recordedFor = recorded.get(accountId);
    const isOther = recordedFor !== undefined && recordedFor !== name;
    if (isOther) isRight = false;
    print(`The key of the ${nameOf(name)} belongs to ${accountId}: ${verdictOn(recordedFor, isOther)}.`);
  }
  if (!isRight) {
    print(
      'Correct the keys in the settings and restart the servers. If the keys are right, correct the record instead: keyturn payments accounts ACCOUNT client, or business, for each account.',
    );
  }
  return isRight ? 0 : 1;
}

const nameOf = (name: ProviderName) => `${providersByName[name].account} account`;

function verdictOn(recordedFor: ProviderName | undefined, isOther: boolean): string {
  if (recordedFor === undefined) return 'not recorded before its first payment';
  return isOther ? `recorded as the ${nameOf(recordedFor)}, so that no payments are accepted` : 'as recorded';
}
