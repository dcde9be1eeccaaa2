import {
  type SandboxBehaviour,
  type SandboxConfirmBody,
  type SandboxIntent,
  sandboxCards,
} from '@keyturn/contract';
import type { SandboxAftermath } from './sandbox-disputes.ts';
import type { StoredSandboxIntent } from './stored-intent.ts';

/** The answers on the bank's page of the sandbox. `fails_later`: the bank approves, and then sends no money. */
export const bankOutcomes = ['approved', 'fails_later', 'declined', 'cancelled'] as const;
export type BankOutcome = (typeof bankOutcomes)[number];

/** Seconds until a card that succeeds later succeeds, and until the money of a payment by bank arrives. */
const settlementDelay = 10;

/** The fields of an intent that an outcome changes. */
export interface IntentChange {
  status: SandboxIntent['status'];
  pending?: SandboxBehaviour | 'bank_fails';
  bankPage?: { token: string; returnUrl: string };
  settlesAt?: Date;
  /** The money is available immediately, instead of after some working days. */
  clearsImmediately?: boolean;
  aftermath?: SandboxAftermath;
  card?: { brand: string; last4: string };
  error?: { code: string; message: string };
}

/** Decides the bank's answer for a test card. Only the card's brand and last four digits are stored. */
export function decideOnCard(card: SandboxConfirmBody['card'], now: Date): IntentChange {
  const known = sandboxCards.find(({ number }) => number === card.number);
  if (!known) return refused('test_card_required');
  const storedCard = { brand: known.brand, last4: card.number.slice(-4) };
  const endsBefore = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (card.exp_year * 12 + card.exp_month < endsBefore)
    return { ...refused('expired_card'), card: storedCard };
  switch (known.behaviour) {
    case 'succeeds':
      return { status: 'succeeded', card: storedCard };
    case 'succeeds_and_clears':
      return { status: 'succeeded', card: storedCard, clearsImmediately: true };
    case 'refund_fails':
    case 'refund_settles_later':
      // Stored because it determines the outcome of refunds.
      return { status: 'succeeded', card: storedCard, pending: known.behaviour };
    case 'dispute':
    case 'inquiry':
    case 'fraud_warning':
      return { status: 'succeeded', card: storedCard, aftermath: known.behaviour };
    case 'succeeds_later':
      return {
        status: 'processing',
        card: storedCard,
        settlesAt: new Date(now.getTime() + settlementDelay * 1000),
      };
    case 'authentication_required':
    case 'declined_after_authentication':
      return { status: 'requires_action', card: storedCard, pending: known.behaviour };
    default:
      return { ...refused(known.behaviour), card: storedCard };
  }
}

/** Returns the outcome of an answer on the bank's page; null for an outdated page. */
export function decideAtBank(
  intent: StoredSandboxIntent,
  token: string,
  outcome: BankOutcome,
  now: Date,
): IntentChange | null {
  if (intent.status !== 'requires_action' || intent.bank_token !== token) return null;
  if (outcome === 'declined' || outcome === 'cancelled') return refused(`bank_${outcome}`);
  return {
    status: 'processing',
    ...(outcome === 'fails_later' ? { pending: 'bank_fails' as const } : {}),
    settlesAt: new Date(now.getTime() + settlementDelay * 1000),
  };
}

/** The payer may try again. */
export const refused = (code: string): IntentChange => ({
  status: 'requires_payment_method',
  error: { code, message: errorMessages[code] ?? 'The card was declined.' },
});

const errorMessages: Record<string, string> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The card’s security code is incorrect.',
  authentication_failed: 'The payer was not authenticated.',
  bank_declined: 'The bank did not approve the payment.',
  bank_cancelled: 'The payer stopped the payment at the bank.',
  bank_failed: 'The bank did not complete the payment.',
  test_card_required: 'The sandbox only accepts its test cards.',
};
