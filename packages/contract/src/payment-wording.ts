/** What a client confirms before paying, in the words of the dashboard. */
export interface PaymentWording {
  ownCard: { question: string; hint: string; yes: string; no: string };
  orderNow: { label: string; explanation: string };
}

/**
 * Every version that was ever shown, by name. The record of a payment keeps the name, and this file what it stood for:
 * words that were shown are never changed; other words are another version.
 */
export const paymentWordings = {
  '2026-11': {
    ownCard: {
      question: 'Is this your own card?',
      hint: 'The law asks us to know whose money we are given.',
      yes: 'Yes, mine or one that I share with the other owner',
      no: 'No, somebody else is paying',
    },
    orderNow: {
      label: 'Order my search now.',
      explanation:
        'You have 14 days to change your mind about a service bought online. I ask you to start at once, and know that what has been ordered by then may not be paid back.',
    },
  },
} as const satisfies Record<string, PaymentWording>;

export type PaymentWordingVersion = keyof typeof paymentWordings;

/** The version that is shown now. */
export const paymentWordingVersion = '2026-11' satisfies PaymentWordingVersion;
