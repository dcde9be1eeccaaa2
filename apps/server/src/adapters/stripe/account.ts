import type Stripe from 'stripe';
import type { Clock } from '../../platform/clock.ts';

/** Milliseconds after which the account is asked about again. */
const maxAge = 10 * 60_000;

export interface AccountReader {
  /** Asks Stripe until it has answered once, and again when the answer is old: the firm may activate pay by bank. */
  read(): Promise<string>;
  /** What Stripe has answered; null before that. */
  known(): string | null;
  /** Whether the account can accept payments by bank, as Stripe has answered last; false before that. */
  acceptsBankPayments(): boolean;
  /** How the account calls the firm on card statements; null before Stripe has answered, and if it has no such name. */
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
