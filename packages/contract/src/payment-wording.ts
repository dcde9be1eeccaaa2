/** What a client confirms before paying, as the dashboard words it. */
export interface PaymentWording {
  ownCard: { question: string; hint: string; yes: string; no: string };
  orderNow: { label: string; explanation: string };
}

/**
 * Every wording that clients have been shown, by version. Each payment records the version, so a released wording is
 * never changed: add a new version instead.
 */
export const paymentWordings = {
  '2026-11': {
    ownCard: {
      question: 'Is this your own card?',
      hint: 'We’re legally required to know where the money comes from.',
      yes: 'Yes, mine or one I share with the other owner',
      no: 'No, someone else is paying',
    },
    orderNow: {
      label: 'Please order now.',
      explanation:
        'I have 14 days to cancel, but I understand that a search already ordered can’t be refunded.',
    },
  },
  '2026-11-sole-client': {
    ownCard: {
      question: 'Is this your own card?',
      hint: 'We’re legally required to know where the money comes from.',
      yes: 'Yes, it’s mine',
      no: 'No, someone else is paying',
    },
    orderNow: {
      label: 'Please order now.',
      explanation:
        'I have 14 days to cancel, but I understand that a search already ordered can’t be refunded.',
    },
  },
} as const satisfies Record<string, PaymentWording>;

export type PaymentWordingVersion = keyof typeof paymentWordings;

/**
 * The version that a client is shown now.
 * @param clients how many clients are on the case: a sole client is not asked about another owner
 */
export const paymentWordingFor = (clients: number): PaymentWordingVersion =>
  clients > 1 ? '2026-11' : '2026-11-sole-client';
