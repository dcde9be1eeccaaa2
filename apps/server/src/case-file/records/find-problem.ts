import { hasCardNumber, hasHiddenCharacter } from '@keyturn/contract';
import { findBankDetails } from '@keyturn/contract/staff';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { addFormats } from '../../platform/requests/add-formats.ts';
import { meaningsOfShortDay } from '../../platform/requests/short-days.ts';

/** The reason why a record is invalid, and the place, for example `/searches/3/price/net`. */
export interface RecordProblem {
  place: string;
  reason: string;
}

const ajv = new Ajv({ allErrors: false, strict: false, verbose: true });
addFormats(ajv);
const validators = new Map<object, ValidateFunction>();

/** @returns the first problem of a record, or null */
export function findProblem(schema: object, record: unknown, place: string): RecordProblem | null {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    validators.set(schema, validate);
  }
  const [error] = validate(record) ? [] : (validate.errors ?? []);
  if (error) return { place: place + error.instancePath + missingOrUnknown(error), reason: reasonOf(error) };
  return findTextProblem(record, place);
}

function missingOrUnknown({ params }: ErrorObject): string {
  const name: unknown = params.missingProperty ?? params.additionalProperty;
  return typeof name === 'string' ? `/${name}` : '';
}

function reasonOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not a known field';
  if (error.keyword === 'enum')
    return `must be one of ${(error.params.allowedValues as string[]).join(', ')}`;
  if (error.keyword === 'format' && error.params.format === 'date') return reasonOfDay(String(error.data));
  return error.message ?? 'is invalid';
}

/** Explains why a text is not a day, with what a day with a short year can mean. */
function reasonOfDay(text: string): string {
  const wanted = 'must be a day from 1900 to 2199 such as 2026-11-27';
  const meanings = meaningsOfShortDay(text);
  return meanings.length === 0 ? wanted : `${wanted}: ${text} could be ${meanings.join(' or ')}`;
}

/**
 * Fields without a check for card numbers and bank details: passwords are hashed and never shown, and a firm cannot change its
 * references.
 */
const exemptFields: Record<string, 'password' | 'reference'> = {
  password: 'password',
  reference: 'reference',
  case: 'reference',
  clients: 'reference',
  matter: 'reference',
  search: 'reference',
  document: 'reference',
  result_document: 'reference',
  supersedes: 'reference',
};

/** Finds text that cannot be stored, hidden characters outside passwords, card numbers and bank details. */
function findTextProblem(
  value: unknown,
  place: string,
  exempt?: 'password' | 'reference',
): RecordProblem | null {
  if (typeof value === 'string') return findProblemOfText(value, place, exempt);
  if (value === null || typeof value !== 'object') return null;
  for (const [key, member] of Object.entries(value)) {
    const isItem = Array.isArray(value);
    const found = findTextProblem(member, `${place}/${key}`, isItem ? exempt : exemptFields[key]);
    if (found) return found;
  }
  return null;
}

const anyDigit = /\p{N}/u;

function findProblemOfText(
  value: string,
  place: string,
  exempt: 'password' | 'reference' | undefined,
): RecordProblem | null {
  if (value.includes('\0') || !value.isWellFormed())
    return { place, reason: 'contains a NUL character or a lone surrogate' };
  if (hasHiddenCharacter(value) && exempt !== 'password')
    return { place, reason: 'contains a control character or one that changes the direction of text' };
  // Most texts are shorter or have no digits.
  if (exempt !== undefined || value.length < 13 || !anyDigit.test(value)) return null;
  if (hasCardNumber(value)) return { place, reason: 'contains a card number, which must not be stored' };
  // Clients know that the firm never sends bank details like this, and so recognise fraud. Numbers that may be something else are
  // accepted: the desk has asked its member about them, and a feed cannot be asked.
  return findBankDetails(value) === 'certain'
    ? { place, reason: 'contains bank details: give them by telephone, or in a document' }
    : null;
}
