import { hideCardNumbers } from './card-numbers.ts';

/**
 * A text without what must never be written down or sent elsewhere: access tokens, keys and client secrets, the tokens
 * of links, emails, card numbers. For logs, error reports and recordings, as the last gate before they leave.
 */
export function hideSecrets(text: string): string {
  let hidden = text;
  for (const [pattern, instead] of patterns) hidden = hidden.replaceAll(pattern, instead);
  // Most texts have too few digits for one.
  return manyDigits.test(hidden) ? hideCardNumbers(hidden) : hidden;
}

/** The same for a value as JSON has it, in all its texts; what has the name of a secret is hidden whole. */
export function hideSecretsWithin<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (name, part: unknown) =>
    typeof part !== 'string' ? part : secretNames.test(name) ? hiddenText : hideSecrets(part),
  );
}

const hiddenText = '[hidden]';

/** Also as the last of names with dots between: `url.path.parameter.token`. */
const secretNames =
  /(?:^|\.)(authorization|proxy-authorization|(set-)?cookie|password|new_password|token|access_token|client_?secret|secret|security_?code|cvc|x-api-key)$/i;

/** Each in time that grows with the text's length alone: no pattern tries a part of it twice. */
const patterns: [RegExp, string][] = [
  // JSON inside of a text, as the bodies of recorded calls are; and inside of such a text once more. A quotation mark that
  // is part of the secret does not end it.
  [
    /("(?:password|new_password|token|access_token|client_secret|security_code|cvc|number)"\s*:\s*")(?:[^"\\]|\\.)*/gi,
    `$1${hiddenText}`,
  ],
  [
    /(\\"(?:password|new_password|token|access_token|client_secret|security_code|cvc|number)\\"\s*:\s*\\")(?:[^"\\]|\\\\(?:\\.|[^"\\]))*/gi,
    `$1${hiddenText}`,
  ],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${hiddenText}`],
  [/\bkt_[\w-]{20,}/g, hiddenText],
  [/\b((?:sk|pk|rk)_(?:live|test)|whsec)_[\w+/=]+/g, `$1_${hiddenText}`],
  [/_secret_[\w-]+/g, `_secret_${hiddenText}`],
  [
    /((?:[?&]|%3F|%26)(?:[a-z_]*secret|[a-z_]*token|password|auth_key|auth_signature)=)[^&#\s"'<>]*/gi,
    `$1${hiddenText}`,
  ],
  [/(\/reset-password\/)[\w-]+/g, `$1${hiddenText}`],
  // As much as RFC 5321 allows, so that a long run of letters costs no more.
  [/[\w.!#$%'*+-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.)+[a-z]{2,63}/gi, '[email]'],
];

const manyDigits = /\d(?:\D{0,3}\d){12}/;
