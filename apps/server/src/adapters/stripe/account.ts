import type Stripe from 'stripe';
import type { Clock } from '../../platform/clock.ts';

/** The interval, in milliseconds, at which the account is fetched again. */
const maxAge = 10 * 60_000;

export interface AccountReader {
  /**
   * Fetches the account from Stripe until a call succeeds, and again when the result is old, because the firm may
   * activate pay by bank.
   */
  read(): Promise<string>;
  /** The account as Stripe last returned it; null before the first answer. */
  known(): string | null;
  /**
   * Whether the account can accept payments by bank, according to Stripe's last answer; false before the first one.
   */
  acceptsBankPayments(): boolean;
  /** The account's prefix on card statements; null before Stripe's first answer, or if the account has none. */
  statementPrefix(): string | null;
}

/**
 * Creates a reader of the account's id, such as `acct_1ABC`, or `acct_1ABC:test` in test mode: the two modes share an id,
 * but no intents.
 */
export function createAccountReader(stripe: Stripe, isLive: boolean, clock: Clock): AccountReader {
  let known: string | null = null;
  let readAt = 0;
  let prefix: string | null = null;
  let acceptsBank = false;
  return {
    known: () => known,
    acceptsBankPayments: () => acceptsBank,
    statementPrefix: () => prefix,
    read: async () => {
      const askedAt = clock().getTime();
      if (known !== null && Math.abs(askedAt - readAt) < maxAge) return known;
      const account = await stripe.accounts.retrieveCurrent();
      readAt = askedAt;
      prefix = account.settings?.card_payments.statement_descriptor_prefix?.trim() || null;
      acceptsBank = account.capabilities?.pay_by_bank_payments === 'active';
      known = `${account.id}${isLive ? '' : ':test'}`;
      return known;
    },
  };
}
