/** Advice that is true for every firm: whether its bank details change, and how it would say so, only the firm knows. */
export const bankDetailsAdvice =
  'If anyone tells you that our bank details have changed, do not pay. Call us on a number you already have.';

/** What a firm says once it has adopted it: it binds everyone who works there. */
export const adoptedBankDetails =
  'We will not tell you about new bank details by email, text message or telephone. If anyone does, do not pay. Call us on a number you already have.';

/**
 * Returns what clients read about new bank details.
 * @param adoptedOn the day on which the firm adopted the sentence that it sends none; null: it has not
 * @param today in London
 */
export const bankDetailsText = (adoptedOn: string | null, today: string): string =>
  adoptedOn !== null && adoptedOn <= today ? adoptedBankDetails : bankDetailsAdvice;
