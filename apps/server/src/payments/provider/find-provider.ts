import { DomainError } from '../../platform/domain-error.ts';
import { type ProviderName, providersByName } from '../../platform/provider-names.ts';
import type { PaymentProvider, ProviderChoice } from '../ports/provider.ts';
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
