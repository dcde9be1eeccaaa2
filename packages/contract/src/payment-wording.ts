import type { PaymentMethod } from './vocabulary.ts';

/** What a client confirms before paying, as the dashboard words it. */
export interface PaymentWording {
  ownCard: { question: string; hint: string; yes: string; no: string };
  /** The request to order of release 0.2, whose explanation was wrong. Later payments record one of `order-wording.ts`. */
  orderNow: { label: string; explanation: string };
  /** What protects the client if something goes wrong, where the method of payment makes a difference. */
  protection?: string;
}

/**
 * The versions of `paymentWordings`. They are a separate list, so that code which only checks a version does not need the
 * texts.
 */
export const paymentWordingVersions = [
  '2026-11',
  '2026-11-sole-client',
  '2026-11-bank',
  '2026-11-bank-sole-client',
] as const;
export type PaymentWordingVersion = (typeof paymentWordingVersions)[number];

const orderNow = {
  label: 'Please order now.',
  explanation: 'I have 14 days to cancel, but I understand that a search already ordered can’t be refunded.',
};
const hint = 'We’re legally required to know where the money comes from.';
const noOneElse = 'No, someone else is paying';
const bank = {
  question: 'Is this your own bank account?',
  protection:
    'You can’t reverse a payment by bank with a chargeback, as you sometimes can with a card. If we owe you a refund, we pay it back to the same account.',
};

/**
 * Every wording that clients have been shown, by version. Each payment records the version, so a released wording is
 * never changed: add a new version instead.
 */
export const paymentWordings: Record<PaymentWordingVersion, PaymentWording> = {
  '2026-11': {
    ownCard: {
      question: 'Is this your own card?',
      hint,
      yes: 'Yes, mine or one I share with the other owner',
      no: noOneElse,
    },
    orderNow,
  },
  '2026-11-sole-client': {
    ownCard: { question: 'Is this your own card?', hint, yes: 'Yes, it’s mine', no: noOneElse },
    orderNow,
  },
  '2026-11-bank': {
    ownCard: {
      question: bank.question,
      hint,
      yes: 'Yes, mine or one I share with the other owner',
      no: noOneElse,
    },
    orderNow,
    protection: bank.protection,
  },
  '2026-11-bank-sole-client': {
    ownCard: { question: bank.question, hint, yes: 'Yes, it’s mine', no: noOneElse },
    orderNow,
    protection: bank.protection,
  },
};

/**
 * The version that a client is shown now.
 * @param clients how many clients are on the case: a sole client is not asked about another owner
 */
export const paymentWordingFor = (clients: number, method: PaymentMethod): PaymentWordingVersion =>
  method === 'card'
    ? clients > 1
      ? '2026-11'
      : '2026-11-sole-client'
    : clients > 1
      ? '2026-11-bank'
      : '2026-11-bank-sole-client';

/** The method of payment that a wording is about. */
export const methodOfWording = (version: PaymentWordingVersion): PaymentMethod =>
  version.includes('bank') ? 'bank' : 'card';
