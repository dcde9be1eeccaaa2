import { Refusal } from '../platform/refusal.ts';

const deepest = 20;

/**
 * Refuses what no field of ours can mean and what PostgreSQL cannot store: NUL, lone surrogates, and nesting
 * beyond any schema. Runs before validation, on body, query and path.
 * @throws Refusal `invalid_input`
 */
export function refuseHostileInput(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new Refusal('invalid_input', { errors: { [path]: ['must be well-formed text'] } });
    }
  } else if (value !== null && typeof value === 'object') {
    if (depth >= deepest) throw new Refusal('invalid_input', { errors: { [path]: ['is nested too deeply'] } });
    for (const [key, member] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      refuseHostileInput(key, path, depth);
      refuseHostileInput(member, place, depth + 1);
    }
  }
}
