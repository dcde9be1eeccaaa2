/**
 * The message for text with bank details. Clients know that we never send them like this, so they recognise fraud.
 */
export const bankDetailsNotAllowed =
  'Don’t write a sort code and account number here. Give bank details by telephone, or in a document.';

/**
 * Whether a text has a sort code and an account number, or a British IBAN. The cost is linear in the length of the text.
 */
export function hasBankDetails(text: string): boolean {
  // In the NFKC form, full-width digits are digits.
  const plain = text.normalize('NFKC');
  return iban.test(plain) || joined.test(plain) || (sortCode.test(plain) && accountNumber.test(plain));
}

const iban = /\bGB\d{2}[\s-]?[A-Z]{4}[\s-]?\d{4}[\s-]?\d{4}[\s-]?\d{4}[\s-]?\d{2}\b/i;
/** Three pairs of digits, or six digits that are neither a price nor part of a telephone number. */
const sortCode =
  /(?<![\w£]|\d[.,-])\d{2}[\s.–-]\d{2}[\s.–-]\d{2}(?!\d|[,.-]\d)|(?<![\w£]|\d[\s.,-])\d{6}(?!\d|[,.-]\d)/;
const accountNumber = /(?<![\w£]|\d[.,-])(?:\d{8}|\d{4}[\s-]\d{4})(?!\d|[,.-]\d)/;
/** A sort code directly followed by an account number. */
const joined = /(?<!\d)\d{14}(?!\d)/;
