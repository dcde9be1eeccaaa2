import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditValues } from '../../platform/audit/audit-entry.ts';
import { milestoneRecord } from '../milestones/milestone-record.ts';
import type { RecordField } from '../records/define-record.ts';
import { recordDefinitions } from '../records/record-definitions.ts';

/** Fields of the lists inside a record whose texts are not personal. */
const nestedFields = ['tenure', 'role', 'held_as', 'authorised_on', 'vat_code', 'money'];

/** Fields whose texts come from a list, are dates or are references. Other texts can name people. */
const plainFields = new Set([
  ...[...Object.values(recordDefinitions), milestoneRecord].flatMap(({ fields }) =>
    Object.entries(fields as Record<string, RecordField>).flatMap(([name, { isAudited }]) =>
      isAudited ? name : [],
    ),
  ),
  ...nestedFields,
]);

/**
 * Lists the differences between two states of a record, by path, for the audit log. Texts that can be personal are
 * hashed, so that the log shows only that they changed, and whether two are equal.
 * @param before undefined for a new record
 */
export function auditValuesOf(
  before: object | undefined,
  after: object,
): { before: AuditValues | null; after: AuditValues } {
  const former = before ? flatten(before) : {};
  const latter = flatten(after);
  const changed = [...new Set([...Object.keys(former), ...Object.keys(latter)])].filter(
    (path) => !isDeepStrictEqual(former[path], latter[path]),
  );
  const pick = (values: Record<string, unknown>) =>
    Object.fromEntries(changed.map((path) => [path, toAuditValue(path, values[path])]));
  return { before: before ? pick(former) : null, after: pick(latter) };
}

/** Milestones are named by their keys, clients of a case and features of a matter by themselves, members of other lists by their index. */
function flatten(value: object, path = '', found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [name, member] of Object.entries(value)) {
    const key = Array.isArray(value) ? ((member as { key?: string } | null)?.key ?? name) : name;
    const memberPath = path === '' ? key : `${path}.${key}`;
    if (memberPath === 'clients' || memberPath === 'features')
      for (const listed of member) found[`${memberPath}.${listed}`] = true;
    else if (member !== null && typeof member === 'object') flatten(member, memberPath, found);
    else if (name !== 'reference' || path !== '') found[memberPath] = member;
  }
  return found;
}

function toAuditValue(path: string, value: unknown): AuditValues[string] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = String(value);
  const field = path.slice(path.lastIndexOf('.') + 1);
  return plainFields.has(field) ? text : `sha256:${hash('sha256', text).slice(0, 16)}`;
}
