import type { PaymentPurpose } from '@keyturn/contract';
import { providersByName } from '../../../platform/provider-names.ts';
import type { PaymentProvider, ProviderChoice, PurposeAccounts } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';

type Choice = ProviderChoice & { purposes: PurposeAccounts };

/**
 * Chooses the provider that a new payment for this purpose is started with. Money for the business account goes to the
 * client account while there is no other one.
 * @returns null if the firm accepts no cards for it
 */
export function chooseProvider(
  { provider, providers, purposes }: Choice,
  purpose: PaymentPurpose,
): PaymentProvider | null {
  const account = purposes[purpose];
  if (account !== 'business') return account && provider;
  const business = providers.active.find(({ name }) => providersByName[name].account === 'business');
  return business && !isSameAccount(business, provider) ? business : provider;
}

/** Whether the firm accepts cards for what a payment pays for. */
export const acceptsCard = (
  { purposes }: Pick<Choice, 'purposes'>,
  { category }: Pick<PaymentRow, 'category'>,
): boolean => purposes[category as PaymentPurpose] !== null;

/** Whether the keys of two providers belong to the same account: its money would be counted twice. */
export const isSameAccount = (a: PaymentProvider, b: PaymentProvider): boolean =>
  a.knownAccountId() !== null && a.knownAccountId() === b.knownAccountId();
