import Stripe from 'stripe';
import type { Clock } from '../../platform/clock.ts';

/** The interval, in milliseconds, at which the account is fetched again. */
const maxAge = 10 * 60_000;

export interface AccountReader {
  /**
   * Fetches the account from Stripe until a call succeeds, and again when the result is old, because the firm may
   * activate pay by bank. A key that may not read the account has the one in the settings.
   */
  read(): Promise<string>;
  /** The account as Stripe last returned it; null before the first answer. */
  known(): string | null;
  /**
   * Whether the account can accept payments by bank, according to Stripe's last answer; false before the first one.
   * True if the key may not read it: the intent's answer then says whether Stripe offers the method.
   */
  acceptsBankPayments(): boolean;
  /** The account's prefix on card statements; null before Stripe's first answer, or if the account has none. */
  statementPrefix(): string | null;
}

interface Facts {
  id: string;
  prefix: string | null;
  acceptsBank: boolean;
}

/**
 * Creates a reader of the account's id, such as `acct_1ABC`, or `acct_1ABC:test` in test mode: the two modes share an id,
 * but no intents.
 * @param options.accountId the account in the settings; null if there is none
 */
export function createAccountReader(
  stripe: Stripe,
  options: { isLive: boolean; accountId: string | null; clock: Clock },
): AccountReader {
  const { isLive, accountId, clock } = options;
  let facts: Facts | null = null;
  let readAt = 0;
  const nameOf = (id: string) => `${id}${isLive ? '' : ':test'}`;

  const fetchFacts = async (): Promise<Facts> => {
    try {
      const { id, settings, capabilities } = await stripe.accounts.retrieveCurrent();
      return {
        id: nameOf(id),
        prefix: settings?.card_payments.statement_descriptor_prefix?.trim() || null,
        acceptsBank: capabilities?.pay_by_bank_payments === 'active',
      };
    } catch (error) {
      const isForbidden = error instanceof Stripe.errors.StripePermissionError;
      if (accountId === null || !isForbidden) throw error;
      return { id: nameOf(accountId), prefix: null, acceptsBank: true };
    }
  };
  return {
    known: () => facts?.id ?? null,
    acceptsBankPayments: () => facts?.acceptsBank ?? false,
    statementPrefix: () => facts?.prefix ?? null,
    read: async () => {
      const askedAt = clock().getTime();
      if (facts !== null && Math.abs(askedAt - readAt) < maxAge) return facts.id;
      facts = await fetchFacts();
      readAt = askedAt;
      return facts.id;
    },
  };
}
