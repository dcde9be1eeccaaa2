/**
 * Whether a text is one email address that our mailer sends to: no second recipient, no comment, and a domain with a top
 * level, as addresses on the internet have.
 */
export const isEmailAddress = (text: string): boolean => text.length <= 320 && address.test(text);

const address =
  /^(?!\.)(?!.*\.[.@])[\w!#$%&'*+/=?^`{|}~.-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?=.*[a-z])[a-z\d][a-z\d-]{0,61}[a-z\d]$/i;
