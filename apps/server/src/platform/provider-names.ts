import type { PaymentProvider as ShownProvider } from '@keyturn/contract';

/** The bank account of the firm that receives the money. */
export type MoneyAccount = 'client' | 'business';

/**
 * The payment providers by the name that is stored with each payment, webhook and movement of money. The firm's second
 * account at Stripe is a separate provider, so that nothing of one account is ever looked for in the other.
 */
export const providersByName = {
  sandbox: { shownAs: 'sandbox', account: 'client' },
  stripe: { shownAs: 'stripe', account: 'client' },
  stripe_business: { shownAs: 'stripe', account: 'business' },
} as const satisfies Record<
  string,
  {
    /** The name that clients and their browsers see. */
    shownAs: ShownProvider;
    /** The account that it pays into. */
    account: MoneyAccount;
  }
>;

export type ProviderName = keyof typeof providersByName;
