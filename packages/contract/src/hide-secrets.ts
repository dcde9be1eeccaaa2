import { hideCardNumbers } from './card-numbers.ts';

/**
 * Removes from a text what must never be logged or reported: access tokens, keys, client secrets, the tokens of links,
 * email addresses and card numbers. The last filter of logs, error reports and recordings.
 */
export function hideSecrets(text: string): string {
  if (harmless.test(text)) return text;
  let hidden = text;
  for (const [pattern, instead] of patterns) hidden = hidden.replaceAll(pattern, instead);
  return hideCardNumbers(hidden);
}

/**
 * Removes secrets from every string of a JSON value, and the whole value of a field whose name says that it is secret.
 */
export function hideSecretsWithin<T>(value: T): T {
  return parseWithoutSecrets(JSON.stringify(value)) as T;
}

/** Parses JSON, and removes secrets as `hideSecretsWithin` does. @throws SyntaxError */
export const parseWithoutSecrets = (json: string): unknown =>
  JSON.parse(json, (name, part: unknown) =>
    typeof part !== 'string' ? part : secretNames.test(name) ? hiddenText : hideSecrets(part),
  );

const hiddenText = '[hidden]';

/** Also matches the last part of a dotted name: `url.path.parameter.token`. */
const secretNames =
  /(?:^|\.)(authorization|proxy-authorization|(set-)?cookie|password|new_password|current_password|token|access_token|client_?secret|secret|security_?code|cvc|x-api-key|csrf_token|x-csrf-token)$/i;

const id = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';

/**
 * Matches texts of nearly every log line that no pattern can match: a word, an id, a timestamp, or a path of the API.
 * Searching them would cost more than the rest of the line.
 */
const harmlessText = [
  '[a-z]{0,20}',
  id,
  '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  `\\/api\\/(?!reset-password)[a-z-]{1,30}(?:\\/(?:[a-z]{1,15}|:[a-z]{1,15}|${id})){0,3}`,
].join('|');
const harmless = new RegExp(`^(?:${harmlessText})$`, 'i');
const harmlessLine = new RegExp(
  `^\\{(?:"(?:level|time|pid|hostname|reqId|event|method|route|path|status|ms|client|outcome|msg)":(?:\\d{1,10}|"(?:${harmlessText})")[,}])+\\n?$`,
  'i',
);

/** Whether a line of JSON has only names and texts that no pattern can match. Most log lines are like this. */
export const isHarmlessLine = (line: string): boolean => harmlessLine.test(line);

/** Every pattern runs in linear time, so that no text can stall the process. */
const patterns: [RegExp, string][] = [
  // JSON in a text, such as the body of a recorded call, and JSON in a string of it. An escaped quotation mark does not
  // end the secret.
  [
    /("(?:password|new_password|current_password|token|access_token|csrf_token|client_secret|security_code|cvc|number)"\s*:\s*")(?:[^"\\]|\\.)*/gi,
    `$1${hiddenText}`,
  ],
  [
    /(\\"(?:password|new_password|current_password|token|access_token|csrf_token|client_secret|security_code|cvc|number)\\"\s*:\s*\\")(?:[^"\\]|\\\\(?:\\.|[^"\\]))*/gi,
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
  [/(\/(?:reset-password|confirm-email|review-email-change)(?:[/#]|%23))[\w-]+/g, `$1${hiddenText}`],
  // The limits of RFC 5321 keep long runs of letters cheap.
  [/[\w.!#$%'*+-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.)+[a-z]{2,63}/gi, '[email]'],
];
