import type { CaseSearch, Payment } from '@keyturn/contract';

/**
 * Where a client is on the payment screen.
 * - `loading`: not known yet
 * - `confirm`: nothing was confirmed yet; the check before paying comes first
 * - `card`: a card can be given
 * - `bank`: the bank asks for a confirmation
 * - `checking`: money may be moving; nothing may be pressed
 * - `paid`: done, with a receipt
 * - `gone`: it cannot be paid, or was canceled
 */
export type PaymentStep = 'loading' | 'confirm' | 'card' | 'bank' | 'checking' | 'paid' | 'gone';

export interface KnownOfPayment {
  caseSearch: CaseSearch | undefined;
  payment: Payment | undefined;
  hasIntent: boolean;
  /** This page waits for an answer about money. */
  checking: boolean;
}

/** The step, from what the server says; `checking` only ever holds back what could be pressed. */
export function stepOf({ caseSearch, payment, hasIntent, checking }: KnownOfPayment): PaymentStep {
  if (!caseSearch) return 'loading';
  switch (payment?.status ?? caseSearch.payment?.status) {
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return payment ? 'paid' : 'loading';
    case 'processing':
      return 'checking';
    case 'requires_action':
      return checking ? 'checking' : hasIntent ? 'bank' : caseSearch.payable ? 'loading' : 'gone';
    case 'requires_payment_method':
      if (checking) return 'checking';
      return caseSearch.payable ? (hasIntent ? 'card' : 'loading') : 'gone';
    case 'canceled':
    case undefined:
      return caseSearch.payable ? 'confirm' : 'gone';
  }
}
