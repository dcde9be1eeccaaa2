/** The data of a payment provider about disputes, early fraud warnings and reviews. */

/** A dispute or inquiry that the payer's bank opened. Money in pence. */
export interface ProviderDispute {
  disputeId: string;
  intentId: string;
  /** Whether it is still an inquiry: the bank has withdrawn no money. */
  isInquiry: boolean;
  status: 'needs_response' | 'under_review' | 'closed';
  /** Null until it is closed. `prevented`: settled by a refund before it became a dispute. */
  outcome: 'won' | 'lost' | 'inquiry_closed' | 'prevented' | null;
  /** The provider's category, such as `fraudulent`. */
  reason: string;
  /** The card scheme's own code, such as `10.4`; null if the provider does not tell. */
  reasonCode: string | null;
  amount: number;
  openedAt: Date;
  /** Null once there is nothing left to answer, or if the bank accepts no evidence. */
  evidenceDueBy: Date | null;
  /** How often evidence was submitted to the bank. */
  submissions: number;
  /** The amounts that the bank has withdrawn from the firm so far, and returned. */
  withdrawnAmount: number;
  withdrawnAt: Date | null;
  reinstatedAmount: number;
  reinstatedAt: Date | null;
}

/** The card's bank suspects fraud: a dispute usually follows. */
export interface ProviderFraudWarning {
  warningId: string;
  intentId: string;
  /** The bank's category, such as `made_with_stolen_card`. */
  fraudType: string;
  /** Whether a refund would still prevent a dispute: there is none yet, and the payment is not fully refunded. */
  isActionable: boolean;
  warnedAt: Date;
}

/** The provider asks the firm to check a payment for fraud. */
export interface ProviderReview {
  reviewId: string;
  intentId: string;
  isOpen: boolean;
  /** `rule` or `manual`. */
  openedReason: string;
  /** Such as `approved` or `refunded_as_fraud`; null while it is open. */
  closedReason: string | null;
  openedAt: Date;
}

/** The functions of a payment provider for disputes, early fraud warnings and reviews of any payment. */
export interface ProviderDisputes {
  /**
   * Lists the disputes opened since a time, by their own date, including those of old payments.
   * @throws ProviderUnavailable
   */
  listDisputes(since: Date): Promise<ProviderDispute[]>;
  /** @throws ProviderUnavailable */
  listFraudWarnings(since: Date): Promise<ProviderFraudWarning[]>;
  /**
   * Lists the open reviews that were opened since then.
   * @throws ProviderUnavailable
   */
  listReviews(since: Date): Promise<ProviderReview[]>;
  /**
   * @returns null if the provider has none with this id
   * @throws ProviderUnavailable
   */
  retrieveFraudWarning(warningId: string): Promise<ProviderFraudWarning | null>;
  /**
   * @returns null if the provider has none with this id
   * @throws ProviderUnavailable
   */
  retrieveReview(reviewId: string): Promise<ProviderReview | null>;
}

/** The object of a provider's event, if it is not the intent. */
export interface FraudSubject {
  kind: 'fraud_warning' | 'review';
  id: string;
}
