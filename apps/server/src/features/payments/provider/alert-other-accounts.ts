import type { AlertOperator } from '../../../platform/alert-operator.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Connection } from '../../../platform/database.ts';
import type { PaymentProvider, ProviderChoice } from '../ports.ts';
import { allProviders, isActive } from './find-provider.ts';
import { findFirstProvider, findLastAccount } from './intents-store.ts';

type Dependencies = ProviderChoice & { database: Connection; alertOperator: AlertOperator; clock: Clock };

/** Milliseconds between two checks. */
const interval = 3_600_000;

/**
 * Creates a check that alerts the operator, at once and then every hour, while a key in the settings belongs to a
 * different account than earlier payments: new money would go to the wrong bank account. After an intended change of
 * account, the alerts end with the first payment there. Both keys may belong to one account from the start: that is no
 * mistake.
 */
export function createAccountWatch(dependencies: Dependencies): () => Promise<void> {
  let lastCheck: { accounts: string; at: number } | null = null;
  return async () => {
    const active = allProviders(dependencies).filter(({ name }) => isActive(dependencies, name));
    const accounts = active.map((provider) => provider.knownAccountId()).join(' ');
    const now = dependencies.clock().getTime();
    if (lastCheck && lastCheck.accounts === accounts && now - lastCheck.at < interval) return;
    lastCheck = { accounts, at: now };
    for (const provider of active) await checkAccount(dependencies, provider, active);
  };
}

async function checkAccount(
  { database, alertOperator }: Dependencies,
  { name, knownAccountId }: PaymentProvider,
  active: PaymentProvider[],
): Promise<void> {
  const account = knownAccountId();
  if (account === null) return;
  const usedAs = await findFirstProvider(database, account);
  const isShared = active.filter((provider) => provider.knownAccountId() === account).length > 1;
  if (isShared) {
    const former = await findLastAccount(database, name);
    const hadAnother = former !== undefined && former !== account;
    // All money goes there under the name of the first account, so that its payments no longer show the mistake.
    const isOfAnother = name === active[0]?.name && usedAs !== undefined && usedAs !== name;
    if (hadAnother || isOfAnother) {
      alertOperator(
        'the keys of both accounts of the payment provider belong to one account, although payments were made at two: all new payments go to one bank account. Correct the keys in the settings, or remove those of the business account if you no longer use it',
        { provider: name, account, former_account: former ?? null },
      );
    }
    return;
  }
  if (usedAs !== undefined && usedAs !== name) {
    alertOperator(
      'the keys of two accounts of the payment provider are swapped: new payments go to the wrong bank account. Correct the keys in the settings',
      { provider: name, account, used_as: usedAs },
    );
  }
  const former = usedAs === undefined ? await findLastAccount(database, name) : undefined;
  if (former !== undefined) {
    alertOperator(
      'the keys in the settings belong to a different account of the payment provider than earlier payments: correct them unless you changed accounts on purpose',
      { provider: name, account, former_account: former },
    );
  }
}
