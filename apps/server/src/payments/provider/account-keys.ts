import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import { isProviderError, type PaymentProvider, type ProviderChoice } from '../ports/provider.ts';
import { findLastAccount } from '../records/intents-store.ts';
import { allProviders, isActive, isSameAccount } from './find-provider.ts';
import { readRecordedAccounts, recordAccount } from './provider-accounts-store.ts';

/**
 * Pauses payments while a key in the settings belongs to the firm's other account: client money would go to its
 * business account, or its own money to the client account.
 */
export interface AccountKeys {
  /**
   * Checks that new money goes to the right accounts. Costs no statement once the accounts are recorded.
   * @param provider the provider that has, or will have, the payment's intent; records its account unless it is
   *   already recorded. Without it, only recorded accounts are checked.
   * @throws DomainError `payments_paused`
   */
  check(provider?: ProviderName): Promise<void>;
  /**
   * Reads the recorded accounts again, so that payments reopen once the record is corrected, and alerts the operator
   * about the keys, immediately and then every hour. Must be called periodically.
   */
  watch(): Promise<void>;
}

type Dependencies = ProviderChoice & { database: Connection; alertOperator: AlertOperator; clock: Clock };
type RecordedAccounts = ReadonlyMap<string, ProviderName>;

/** Milliseconds between two alerts. */
const interval = 3_600_000;

/** Creates the check of the keys that one server has in its settings. */
export function createAccountKeys(dependencies: Dependencies): AccountKeys {
  const { database, clock } = dependencies;
  let recorded: RecordedAccounts | null = null;
  let lastAlerts: { keys: string; at: number } | null = null;

  const active = () => allProviders(dependencies).filter(({ name }) => isActive(dependencies, name));
  const readAgain = async (): Promise<RecordedAccounts> => {
    recorded = await readRecordedAccounts(database);
    return recorded;
  };

  const checkKnown = (accounts: RecordedAccounts): void => {
    if (findMisassigned(active(), accounts).length > 0) throw new DomainError('payments_paused', closed);
  };
  /** Only the first payment at an account depends on the keys of the other accounts. */
  const recordNew = async (provider: PaymentProvider, accountId: string): Promise<void> => {
    for (const other of active()) await knownOrRead(other);
    checkKnown(await readAgain());
    await recordAccount(database, { accountId, provider: provider.name, recordedAt: clock() });
    await readAgain();
  };

  return {
    check: async (name) => {
      const provider = active().find((each) => each.name === name);
      if (provider) {
        const accountId = await knownOrRead(provider);
        if (!(recorded ?? (await readAgain())).has(accountId)) await recordNew(provider, accountId);
      }
      checkKnown(recorded ?? (await readAgain()));
    },
    watch: async () => {
      const accounts = await readAgain();
      const misused = findMisassigned(active(), accounts);
      const ids = active().map((provider) => provider.knownAccountId());
      const keys = JSON.stringify([ids, misused.map(({ name }) => name)]);
      const now = clock().getTime();
      if (lastAlerts && lastAlerts.keys === keys && now - lastAlerts.at < interval) return;
      lastAlerts = { keys, at: now };
      for (const provider of active()) {
        await alertAbout(dependencies, provider, { active: active(), accounts, misused });
      }
    },
  };
}

/** The message for clients while payments are paused, and the seconds after which to retry. */
const closed = {
  message:
    'We can’t accept payments online at the moment. Please call us before you pay in another way. If you have already paid, please don’t pay again.',
  retryAfter: 60,
};

/** @throws DomainError `payments_paused` if the account is not known yet, and the provider does not name it */
async function knownOrRead(provider: PaymentProvider): Promise<string> {
  const known = provider.knownAccountId();
  if (known !== null) return known;
  try {
    return await provider.readAccountId();
  } catch (error) {
    if (isProviderError(error)) throw new DomainError('payments_paused', { retryAfter: 5 });
    throw error;
  }
}

/**
 * Finds the providers whose key belongs to an account that is recorded for another provider. If both keys belong to one
 * account, all money goes there under the name of the first provider.
 */
function findMisassigned(active: PaymentProvider[], accounts: RecordedAccounts): PaymentProvider[] {
  const [first] = active;
  return active.filter((provider) => {
    const accountId = provider.knownAccountId();
    const recordedFor = accountId === null ? undefined : accounts.get(accountId);
    const isUsed = provider === first || !first || !isSameAccount(provider, first);
    return isUsed && recordedFor !== undefined && recordedFor !== provider.name;
  });
}

/**
 * Alerts about a key that belongs to the wrong account, or to a different one than earlier payments. After an
 * intended change of account, the alerts end with the first payment there. Both keys may intentionally belong to one
 * account from the start.
 */
async function alertAbout(
  { database, alertOperator }: Dependencies,
  provider: PaymentProvider,
  {
    active,
    accounts,
    misused,
  }: { active: PaymentProvider[]; accounts: RecordedAccounts; misused: PaymentProvider[] },
): Promise<void> {
  const { name } = provider;
  const account = provider.knownAccountId();
  if (account === null) return;
  const recordedFor = accounts.get(account);
  const isShared = active.some((other) => other !== provider && isSameAccount(other, provider));
  if (misused.includes(provider)) {
    const details = { provider: name, account, recorded_for: recordedFor };
    return alertOperator(isShared ? misusedSharedMessage : misusedMessage, details);
  }
  if (recordedFor !== undefined && !isShared) return;
  const former = await findLastAccount(database, name);
  if (former === undefined || former === account) return;
  alertOperator(isShared ? sharedMessage : otherAccountMessage, {
    provider: name,
    account,
    former_account: former,
  });
}

const misusedMessage =
  'a key in the settings belongs to the firm’s other account at the payment provider (swapped keys?): no payments are accepted, because the money would go to the wrong bank account. Correct the keys and restart the server. If the keys are right, see "keyturn payments accounts"';

const misusedSharedMessage =
  'the keys of both accounts of the payment provider belong to one account, which is recorded as the business account: no payments are accepted, because client money would go to the wrong bank account. Correct the keys in the settings and restart the server. If the keys are right, see "keyturn payments accounts"';

const sharedMessage =
  'the keys of both accounts of the payment provider belong to one account, although payments were made at two: all new payments go to one bank account. Correct the keys in the settings, or remove those of the business account if you no longer use it';

const otherAccountMessage =
  'the keys in the settings belong to a different account of the payment provider than earlier payments: correct them unless you changed accounts on purpose';

/** For commands, which start no payments, and for tests of other subjects. */
export const uncheckedAccountKeys: AccountKeys = { check: async () => {}, watch: async () => {} };
