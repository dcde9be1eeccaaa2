import { cardNumberNotAllowed, hasCardNumber } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { maxProblems } from '../../platform/requests/find-problems.ts';

/** May contain any digits: secrets, which are never stored as plain text, and ids of connections, which have only digits. */
const skippedFields = new Set(['password', 'token', 'socket_id']);

/**
 * Rejects input with a card number in any text, at any depth. Card data belongs only to the payment provider and must
 * not be stored because a client typed it into the wrong field. Runs after validation, which limits the lengths.
 * @throws DomainError `invalid_input`, which names all fields with one but does not repeat their values
 */
export function rejectCardNumbers(...parts: readonly unknown[]): void {
  const places = new Set(parts.flatMap((part) => [...placesOf(part, '')]));
  if (places.size === 0) return;
  throw new DomainError('invalid_input', {
    message: cardNumberNotAllowed,
    errors: Object.fromEntries(
      [...places].slice(0, maxProblems).map((place) => [place, [cardNumberNotAllowed]]),
    ),
  });
}

function* placesOf(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string') {
    if (hasCardNumber(value)) yield path;
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      // The name itself is not repeated.
      if (hasCardNumber(key)) yield path;
      else if (!skippedFields.has(key)) yield* placesOf(member, path === '' ? key : `${path}.${key}`);
    }
  }
}
