/**
 * Whether a text is one email address that our mailer sends to: no second recipient, no comment, and a domain with a top
 * level, as addresses on the internet have.
 */
export const isEmailAddress = (text: string): boolean => text.length <= 320 && address.test(text);

/** The same rule for a schema whose calls had a pattern in the last release, and no format. */
export const emailPattern =
  "^(?!\\.)(?!.*\\.[.@])[\\w!#$%&'*+/=?^`{|}~.\\-]{1,64}@(?:[A-Za-z\\d](?:[A-Za-z\\d\\-]{0,61}[A-Za-z\\d])?\\.)+(?=.*[A-Za-z])[A-Za-z\\d][A-Za-z\\d\\-]{0,61}[A-Za-z\\d]$";

const address = new RegExp(emailPattern);
