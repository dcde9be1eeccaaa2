import { bankDetailsNotAllowed, hasBankDetails } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';

/**
 * Rejects bank details at any depth of what a member sends: clients know that we never send them, and so recognise fraud. Runs
 * after validation, which limits the lengths.
 * @throws DomainError `invalid_input`, which names the field but does not repeat its value
 */
export function refuseBankDetails(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (!hasBankDetails(value)) return;
    throw new DomainError('invalid_input', {
      message: bankDetailsNotAllowed,
      errors: { [path]: [bankDetailsNotAllowed] },
    });
  }
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    if (!exempt.has(key)) refuseBankDetails(member, path === '' ? key : `${path}.${key}`);
  }
}

/** Ids, versions, secrets and files, which can look like bank details and are never shown as text. */
const exempt = new Set([
  'id',
  'version',
  'file_id',
  'milestone_id',
  'matter_id',
  'case_search_id',
  'document_id',
  'supersedes',
  'password',
  'token',
  'credential',
  'content',
]);
