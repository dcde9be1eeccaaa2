import { cardNumberNotAllowed, hasCardNumber } from '@keyturn/contract';
import { DomainError } from '../platform/domain-error.ts';

/** Never kept as they come; and somebody's may look like anything. */
const secrets = new Set(['password', 'token']);

/**
 * Refuses a card number in any text that a client sends: card data belongs to the payment provider alone, and must not
 * be kept because somebody has typed it into the wrong field. Runs before validation.
 * @throws DomainError `invalid_input`, which names the field and repeats nothing
 */
export function rejectCardNumbers(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (hasCardNumber(value)) throw refusal(path);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      if (hasCardNumber(key)) throw refusal(path);
      if (!secrets.has(key)) rejectCardNumbers(member, path === '' ? key : `${path}.${key}`);
    }
  }
}

const refusal = (path: string) =>
  new DomainError('invalid_input', {
    message: cardNumberNotAllowed,
    errors: { [path]: [cardNumberNotAllowed] },
  });
