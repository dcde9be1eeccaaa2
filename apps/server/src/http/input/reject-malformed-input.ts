import { hasHiddenCharacter, hiddenCharacterNotAllowed } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';

/** Deeper than any schema of the contract. */
const maxDepth = 20;

/** Hashed, and never shown to anyone. */
const secretFields = new Set(['password', 'token']);

/**
 * Rejects text that PostgreSQL cannot store (NUL and lone surrogates), hidden characters outside secrets, and objects
 * nested more than 20 levels deep. Runs on paths before validation, and on bodies and queries after it, when their
 * lengths are known to be limited.
 * @throws DomainError with `code`; for `invalid_input` it names the field
 */
export function rejectMalformedInput(
  value: unknown,
  path = '',
  code: 'invalid_input' | 'not_found' = 'invalid_input',
  depth = 0,
): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw malformedError(code, path, 'must be well-formed text');
    }
    if (hasHiddenCharacter(value) && !secretFields.has(path)) {
      throw malformedError(code, path, hiddenCharacterNotAllowed);
    }
  } else if (value !== null && typeof value === 'object') {
    if (depth >= maxDepth) throw malformedError(code, path, 'is nested too deeply');
    for (const [key, member] of Object.entries(value)) {
      const memberPath = path === '' ? key : `${path}.${key}`;
      rejectMalformedInput(key, path, code, depth);
      rejectMalformedInput(member, memberPath, code, depth + 1);
    }
  }
}

const malformedError = (code: 'invalid_input' | 'not_found', path: string, text: string) =>
  new DomainError(code, code === 'invalid_input' ? { errors: { [path]: [text] } } : {});
