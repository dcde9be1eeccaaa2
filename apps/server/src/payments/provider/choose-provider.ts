import type { PaymentMethod, PaymentPurpose } from '@keyturn/contract';
import { providersByName } from '../../platform/provider-names.ts';
import type { PaymentProvider, ProviderChoice, PurposeAccounts } from '../ports/provider.ts';
import type { PaymentRow } from '../records/rows.ts';

type Choice = ProviderChoice & { purposes: PurposeAccounts };

/**
 * Chooses the provider that a new payment for this purpose is started with. Money for the business account goes to the
 * client account while there is no other one.
 * @returns null if the firm, or its account at the provider, does not accept this method for it
 */
export function chooseProvider(
  { provider, providers, purposes }: Choice,
  purpose: PaymentPurpose,
  method: PaymentMethod,
): PaymentProvider | null {
  const account = purposes[method][purpose];
  const business = providers.active.find(({ name }) => providersByName[name].account === 'business');
  const isBusiness = account === 'business' && business && !isSameAccount(business, provider);
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
