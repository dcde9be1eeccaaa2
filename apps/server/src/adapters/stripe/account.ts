import type Stripe from 'stripe';

export interface AccountReader {
  /** Asks Stripe until it has answered once. */
  read(): Promise<string>;
  /** What Stripe has answered; null before that. */
  known(): string | null;
}

/**
 * Creates a reader of the account's id, such as `acct_1ABC`, or `acct_1ABC:test` in test mode: the two modes share an id,
 * but no intents.
 */
export function createAccountReader(stripe: Stripe, isLive: boolean): AccountReader {
  let known: string | null = null;
  return {
    known: () => known,
    read: async () => {
      known ??= `${(await stripe.accounts.retrieveCurrent()).id}${isLive ? '' : ':test'}`;
      return known;
    },
  };
}
