import { hasCardNumber, hasHiddenCharacter, hideCardNumbers } from '@keyturn/contract';
import { findBankDetails } from '@keyturn/contract/staff';
import { phoneProblemOf } from '../../platform/phone-numbers.ts';
import {
  createProblemFinder,
  type InputProblem,
  isSmall,
  maxProblems,
} from '../../platform/requests/find-problems.ts';

/** The reason why a record is invalid, and the place, for example `/searches/3/price/net`. */
export interface RecordProblem extends InputProblem {
  /** The other reasons of the same record. */
  others?: readonly InputProblem[];
}

const findBySchema = createProblemFinder({});

/** @returns all problems of a record, the first one with the others; null for a valid record */
export function findProblem(schema: object, record: unknown, place: string): RecordProblem | null {
  const problems = findBySchema(schema, record).map((found) => ({ ...found, place: place + found.place }));
  if (problems.length === 0 || isSmall(record)) findTextProblems(record, place, problems);
  const [first, ...others] = problems.slice(0, maxProblems);
  return first ? withOthers(first, others) : null;
}

/** @returns a problem with the others of its record */
export const withOthers = (first: InputProblem, others: readonly InputProblem[]): RecordProblem =>
  others.length > 0 ? { ...first, others } : first;

/**
 * Writes all reasons of a record as one text, for answers with one reason each.
 * @param record the place of the record, which the others leave out
 */
export const allReasons = ({ reason, others = [] }: RecordProblem, record: string): string =>
  [reason, ...others.map((other) => `${other.place.slice(record.length)} ${other.reason}`)].join('; ');

type Special = 'password' | 'phone' | 'reference';

/**
 * Fields that are not plain text. Passwords and references are not checked for card numbers and bank details: passwords are
 * hashed and never shown, and a firm cannot change its references.
 */
const specialFields: Record<string, Special> = {
  password: 'password',
  phone: 'phone',
  reference: 'reference',
  case: 'reference',
  clients: 'reference',
  matter: 'reference',
  search: 'reference',
  document: 'reference',
  result_document: 'reference',
  supersedes: 'reference',
};

/** Finds texts that cannot be stored, hidden characters, card numbers, bank details, and what is no telephone number. */
function findTextProblems(value: unknown, place: string, problems: InputProblem[], special?: Special): void {
  if (problems.length >= maxProblems) return;
  if (typeof value === 'string') {
    const found = findProblemOfText(value, place, special);
    if (found) problems.push(found);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      const isItem = Array.isArray(value);
      // The sender chose the name of an unknown field: it may be a card number.
      const name = isItem || key.length < 12 ? key : hideCardNumbers(key);
      findTextProblems(member, `${place}/${name}`, problems, isItem ? special : specialFields[key]);
    }
  }
}

const anyDigit = /\p{N}/u;

function findProblemOfText(value: string, place: string, special: Special | undefined): InputProblem | null {
  if (value.includes('\0') || !value.isWellFormed())
    return { place, reason: 'contains a NUL character or a lone surrogate' };
  // Address books put such characters around telephone numbers, which are stored without them.
  if (hasHiddenCharacter(value) && special !== 'password' && special !== 'phone')
    return { place, reason: 'contains a control character or one that changes the direction of text' };
  if (special === 'password' || special === 'reference') return null;
  const reason = findProblemOfNumbers(value) ?? (special === 'phone' ? phoneProblemOf(value) : null);
  return reason === null ? null : { place, reason };
}

/** @returns why numbers in a text must not be stored; null if it has none of them */
function findProblemOfNumbers(value: string): string | null {
  // Most texts are shorter or have no digits.
  if (value.length < 13 || !anyDigit.test(value)) return null;
  if (hasCardNumber(value)) return 'contains a card number, which must not be stored';
  // Clients know that the firm never sends bank details like this, and so recognise fraud. Numbers that may be something else are
  // accepted: the desk has asked its member about them, and a feed cannot be asked.
  return findBankDetails(value) === 'certain'
    ? 'contains bank details: give them by telephone, or in a document'
    : null;
}
