import type { CaseClient, CaseSearch, PaymentStatus } from '@keyturn/contract';

/** The client who confirmed a payment, and whose card pays it; `no_one` until a client has confirmed it. */
export type Payer = { kind: 'me' } | { kind: 'other'; firstName: string } | { kind: 'no_one' };

/** @param clientId of the signed-in client; undefined while it is not known */
export function payerOf(payer: CaseClient | null | undefined, clientId: string | undefined): Payer {
  if (!payer) return { kind: 'no_one' };
  return payer.id === clientId ? { kind: 'me' } : { kind: 'other', firstName: payer.first_name };
}

export interface StartedPayment {
  payer: Payer;
  /** A sentence about the progress so far that names the client. */
  text: string;
  /** The path that a press opens. */
  action: 'Continue' | 'See this payment';
}

/** The payment of a search that one of its clients has started and not finished; null if there is none. */
export function startedPayment({ payment }: CaseSearch, clientId: string | undefined): StartedPayment | null {
  const payer = payerOf(payment?.payer, clientId);
  if (!payment || payer.kind === 'no_one') return null;
  const text = progress[payment.status]?.(payer.kind === 'me' ? null : payer.firstName);
  if (text === undefined) return null;
  return { payer, text, action: payer.kind === 'me' ? 'Continue' : 'See this payment' };
}

/** By status, with the first name of the joint client who pays, or null for the client themselves. */
const progress: Partial<Record<PaymentStatus, (name: string | null) => string>> = {
  requires_payment_method: (name) =>
    name === null
      ? 'You’ve started to pay for this. Nothing has been charged.'
      : `${name} has started to pay for this. Nothing has been charged.`,
  requires_action: (name) =>
    name === null
      ? 'Your bank needs you to confirm this payment. Nothing has been charged.'
      : `${name} still has to confirm this payment with the bank. Nothing has been charged.`,
};
