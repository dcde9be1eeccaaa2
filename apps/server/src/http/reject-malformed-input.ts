import { DomainError } from '../platform/domain-error.ts';

const deepest = 20;

/**
 * Refuses what no field of ours can mean and what PostgreSQL cannot store: NUL, lone surrogates, and nesting
 * beyond any schema. Runs before validation, on body, query and path.
 * @throws Refusal with the code, `invalid_input` unless told
 */
export function rejectMalformedInput(
  value: unknown,
  path = '',
  code: 'invalid_input' | 'not_found' = 'invalid_input',
  depth = 0,
): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw refusal(code, path, 'must be well-formed text');
    }
  } else if (value !== null && typeof value === 'object') {
    if (depth >= deepest) throw refusal(code, path, 'is nested too deeply');
    for (const [key, member] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      rejectMalformedInput(key, path, code, depth);
      rejectMalformedInput(member, place, code, depth + 1);
    }
  }
}

const refusal = (code: 'invalid_input' | 'not_found', path: string, text: string) =>
  new DomainError(code, code === 'invalid_input' ? { errors: { [path]: [text] } } : {});
