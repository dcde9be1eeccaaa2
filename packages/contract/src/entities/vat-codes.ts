/** The VAT codes of the lines of a bill: the name that clients read, and the rate in percent. */
export const vatCodes = {
  standard: { name: 'Standard rate', rate: 20 },
  zero: { name: 'Zero rate', rate: 0 },
  exempt: { name: 'Exempt from VAT', rate: 0 },
  outside_scope: { name: 'Outside the scope of VAT', rate: 0 },
} as const;
export type VatCode = keyof typeof vatCodes;
export const vatCodeNames = Object.keys(vatCodes) as VatCode[];

/** The kind of money that a line of a bill is: `client` is held for the client until it is used, `office` is the firm's own. */
export const lineMoney = ['client', 'office'] as const;
export type LineMoney = (typeof lineMoney)[number];
