import { cardNumberNotAllowed, hasCardNumber } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';

/** May contain any digits: secrets, which are never stored as plain text, and ids of connections, which have only digits. */
const skippedFields = new Set(['password', 'token', 'socket_id']);

/**
 * Rejects input with a card number in any text, at any depth. Card data belongs only to the payment provider and must
 * not be stored because a client typed it into the wrong field. Runs after validation, which limits the lengths.
 * @throws DomainError `invalid_input`, which names the field but does not repeat its value
 */
export function rejectCardNumbers(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (hasCardNumber(value)) throw cardNumberError(path);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      if (hasCardNumber(key)) throw cardNumberError(path);
      if (!skippedFields.has(key)) rejectCardNumbers(member, path === '' ? key : `${path}.${key}`);
    }
  }
}

const cardNumberError = (path: string) =>
  new DomainError('invalid_input', {
    message: cardNumberNotAllowed,
    errors: { [path]: [cardNumberNotAllowed] },
  });
