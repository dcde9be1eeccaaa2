import type { AuditValues } from '../platform/audit/audit-entry.ts';

/**
 * Compares two versions of what the firm edits, for the audit log.
 * @returns the differing values by path, for example `ENVIRO.net`; null where a version lacks the value
 */
export function changedValues(before: unknown, after: unknown): { before: AuditValues; after: AuditValues } {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path) !== is.get(path),
  );
  const pick = (values: ReadonlyMap<string, Scalar>): AuditValues =>
    Object.fromEntries(changed.map((path) => [path, values.get(path) ?? null]));
  return { before: pick(was), after: pick(is) };
}

type Scalar = AuditValues[string];

/** Lists all values by path. List items are identified by their key, so that moving one changes only the order. */
function valuesOf(value: unknown, path = ''): Map<string, Scalar> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const values = new Map<string, Scalar>();
  if (value === null || typeof value !== 'object') {
    values.set(path, value as Scalar);
    return values;
  }
  const isKeyed = Array.isArray(value) && value.every((member) => keyOf(member) !== null);
  if (isKeyed) values.set(at('order'), value.map(keyOf).join(', '));
  for (const [name, member] of Object.entries(value)) {
    const key = isKeyed ? (keyOf(member) ?? name) : name;
    for (const [place, scalar] of valuesOf(member, at(key))) values.set(place, scalar);
  }
  return values;
}

const keyFields = ['code', 'day', 'key', 'group'];

/** Returns the key of a list item; null if it has none. */
function keyOf(member: unknown): string | null {
  if (member === null || typeof member !== 'object') return null;
  const field = keyFields.find((name) => Object.hasOwn(member, name));
  return field === undefined ? null : String((member as Record<string, unknown>)[field]);
}
