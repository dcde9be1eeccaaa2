/** Advice that is true for every firm: whether its bank details change, and how it would say so, only the firm knows. */
export const bankDetailsAdvice =
  'If anyone tells you that our bank details have changed, do not pay. Call us on a number you already have.';
