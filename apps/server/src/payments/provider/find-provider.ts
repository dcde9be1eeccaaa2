import type { PaymentMethod, PaymentPurpose } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { type ProviderName, providersByName } from '../../platform/provider-names.ts';
import type { PaymentProvider, ProviderChoice, PurposeAccounts } from '../ports/provider.ts';
import type { PaymentRow } from '../records/rows.ts';

/** Lists every available provider once, the current one first. */
export function allProviders({ provider, providers }: ProviderChoice): PaymentProvider[] {
  const byName = new Map<ProviderName, PaymentProvider>();
  for (const current of [provider, ...providers.active, ...providers.former]) {
    if (!byName.has(current.name)) byName.set(current.name, current);
  }
  return [...byName.values()];
}

/**
 * Runs work for every provider, even after a failure for another one.
 * @throws Error the first failure, after everything else was done
 */
export async function forEachProvider<Dependencies extends ProviderChoice>(
  dependencies: Dependencies,
  work: (atProvider: Dependencies) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const provider of allProviders(dependencies)) {
    await work({ ...dependencies, provider }).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Finds the provider with this name; null if it can no longer be called. */
export const findProvider = (choice: ProviderChoice, name: string): PaymentProvider | null =>
  allProviders(choice).find((provider) => provider.name === name) ?? null;

/** The accounts whose keys are set, as far as they have answered. */
export const knownAccountIds = (choice: ProviderChoice): string[] =>
  allProviders(choice).flatMap((provider) => provider.knownAccountId() ?? []);

/**
 * Finds the provider with which a payment was started, regardless of the current settings: by the account that has
 * its intent, which also works with swapped keys, or else by name.
 * @returns null if that provider can no longer be called
 */
export function findProviderOf(
  choice: ProviderChoice,
  { provider: name, providerAccountId }: Pick<PaymentRow, 'provider' | 'providerAccountId'>,
): PaymentProvider | null {
  const named = findProvider(choice, name);
  if (providerAccountId === null || named?.knownAccountId() === providerAccountId) return named;
  const { shownAs } = providersByName[name];
  const withAccount = allProviders(choice).find(
    (provider) =>
      providersByName[provider.name].shownAs === shownAs && provider.knownAccountId() === providerAccountId,
  );
  return withAccount ? { ...withAccount, name } : named;
}

/**
 * Replaces the provider in the dependencies with the one that a payment was started with.
 * @throws DomainError `payment_being_checked` if that provider can no longer be called, so the outcome is unknown
 */
export function withProviderOf<Dependencies extends ProviderChoice>(
  dependencies: Dependencies,
  payment: Pick<PaymentRow, 'provider' | 'providerAccountId'>,
): Dependencies {
  const provider = findProviderOf(dependencies, payment);
  if (!provider) throw new DomainError('payment_being_checked');
  return { ...dependencies, provider };
}

/** Whether payments that were started with this provider can still be paid, and not only finished. */
export const isActive = ({ provider, providers }: ProviderChoice, name: ProviderName): boolean =>
  provider.name === name || providers.active.some((active) => active.name === name);

type Choice = ProviderChoice & { purposes: PurposeAccounts };

/**
 * Chooses the provider that a new payment for this purpose is started with. Money for the business account goes to the
 * client account while there is no other one. A payment with client money always goes to the client account, and the firm's
 * part of it is moved from there (SRA Accounts Rules 4.2).
 * @param lines what it pays
 * @returns null if the firm, or its account at the provider, does not accept this method for it
 */
export function chooseProvider(
  { provider, providers, purposes }: Choice,
  purpose: PaymentPurpose,
  method: PaymentMethod,
  lines: readonly { client_money: boolean }[] = [],
): PaymentProvider | null {
  const account = purposes[method][purpose];
  const business = providers.active.find(({ name }) => providersByName[name].account === 'business');
  const isBusiness =
    account === 'business' &&
    business &&
    !isSameAccount(business, provider) &&
    !lines.some(({ client_money }) => client_money);
  const chosen = account && (isBusiness ? business : provider);
  return chosen && (method === 'card' || chosen.acceptsBankPayments()) ? chosen : null;
}

/** Returns the error for a payment by this method. */
export type MethodNotAccepted = 'card_not_accepted' | 'bank_not_accepted';

export const notAccepted = (method: PaymentMethod): MethodNotAccepted =>
  method === 'card' ? 'card_not_accepted' : 'bank_not_accepted';

/** Returns why the firm no longer accepts the method of a payment for its purpose; null if it does. */
export const methodRefusal = (
  { purposes }: Pick<Choice, 'purposes'>,
  { category, method }: Pick<PaymentRow, 'category' | 'method'>,
): MethodNotAccepted | null =>
  purposes[method][category as PaymentPurpose] === null ? notAccepted(method) : null;

/** Whether the firm accepts any method of payment for a purpose. */
export const acceptsPurpose = ({ purposes }: Pick<Choice, 'purposes'>, purpose: PaymentPurpose): boolean =>
  purposes.card[purpose] !== null || purposes.bank[purpose] !== null;

/** Whether the keys of two providers belong to the same account: its money would be counted twice. */
export const isSameAccount = (a: PaymentProvider, b: PaymentProvider): boolean =>
  a.knownAccountId() !== null && a.knownAccountId() === b.knownAccountId();
