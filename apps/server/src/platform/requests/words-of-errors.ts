import { emailPattern } from '@keyturn/contract';
import type { ErrorObject } from 'ajv';
import { meaningsOfShortDay } from './short-days.ts';

/** Explains an error of a schema in words for people, as what follows the name of the field. */
export function wordsOfError(error: ErrorObject): string {
  return wordsByKeyword[error.keyword]?.(error) ?? 'is invalid';
}

const email = 'must be an email address such as name@example.com';
const instant = 'must be an ISO 8601 timestamp in UTC, for example 2026-11-20T09:30:00Z';
const noText = 'must not be empty';

const wordsByKeyword: Record<string, (error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  enum: ({ params }) => `must be one of ${params.allowedValues.join(', ')}`,
  const: ({ params }) => `must be ${params.allowedValue}`,
  type: ({ params }) => `must be ${[...new Set([params.type].flat())].map(wordsOfType).join(' or ')}`,
  minLength: ({ params: { limit } }) =>
    limit === 1 ? noText : `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ params: { limit } }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ params: { limit } }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ params: { limit } }) => `must have at most ${counted(limit, 'item')}`,
  minProperties: ({ params: { limit } }) => `must have at least ${counted(limit, 'field')}`,
  uniqueItems: () => 'must not have the same item twice',
  minimum: ({ params: { limit } }) => `must be ${limit} or more`,
  maximum: ({ params: { limit } }) => `must be ${limit} or less`,
  format: ({ params, data }) =>
    params.format === 'date' ? wordsOfDay(String(data)) : (wordsOfFormat[params.format] ?? 'is invalid'),
  pattern: ({ params }) => wordsOfPattern[params.pattern] ?? 'is invalid',
};

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const typeWords: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const wordsOfType = (type: string) => typeWords[type] ?? type;

/** Explains why a text is not a day, with what a day with a short year can mean. */
function wordsOfDay(text: string): string {
  const wanted = 'must be a day from 1900 to 2199 such as 2026-11-27';
  const meanings = meaningsOfShortDay(text);
  return meanings.length === 0 ? wanted : `${wanted}: ${text} could be ${meanings.join(' or ')}`;
}

/** The words of each format of the contract. */
const wordsOfFormat: Record<string, string> = {
  email,
  'date-time': instant,
  uuid: 'must be a UUID',
};

const vatNumber = 'must be a VAT number such as GB 123 4567 89';
const sha256 = 'must be a SHA-256 hash: 64 digits from 0 to f';
const socketId = 'must be the id of a connection, such as 123.456';

/** The words of each pattern of the contract. */
const wordsOfPattern: Record<string, string> = {
  [emailPattern]: email,
  '\\S': noText,
  '^\\S(.*\\S)?$': 'must be one line without spaces at its ends',
  '^GB ?[0-9]{3} ?[0-9]{4} ?[0-9]{2}( ?[0-9]{3})?$': vatNumber,
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'must be a time from 00:00 to 23:59',
  '^[!-~]+$': 'must be 1 to 255 visible ASCII characters',
  '^[\\w-]*$': 'must be base64url',
  '^[A-Za-z0-9+/]+={0,2}$': 'must be base64',
  '^[0-9a-f]{64}$': sha256,
  '^[0-9a-f]+$': 'must be digits from 0 to f',
  '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$': 'must be a random UUID',
  '^evt_[0-9a-f]{32}$': 'must be the id of an event, such as evt_ and 32 digits from 0 to f',
  '^[A-Z0-9][A-Z0-9_-]*$': 'must be capital letters, digits, hyphens and underscores',
  '^[a-z][a-z0-9_]*$': 'must be small letters, digits and underscores, and start with a letter',
  '^#[0-9a-f]{6}$': 'must be a colour such as #1f6feb',
  '^[1-9]\\d{0,14}:[\\da-f]{64}$': 'must be a position and a hash, such as 12:9f86d0…',
  '^\\d{1,20}\\.\\d{1,20}$': socketId,
  '^[0-9]{12,19}$': 'must be a card number',
  '^[0-9]{3,4}$': 'must be 3 or 4 digits',
  '^([0-9]{8}|[A-Z]{2}[0-9]{6})$': 'must be eight characters such as 01234567 or OC123456',
  '^https://[A-Za-z0-9.-]+\\.[A-Za-z]{2,}(:[0-9]+)?([/?#]\\S*)?$':
    'must be a web address such as https://www.example.co.uk/terms',
  '^https://cdn\\.yoshki\\.com/iframe/[A-Za-z0-9]{1,40}\\.html$':
    'must be the badge’s address, such as https://cdn.yoshki.com/iframe/55845r.html',
};
