import { bankDetailsNotAllowed, findBankDetails, isThisBankAccount } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';

/**
 * Rejects bank details at any depth of what a member sends: clients know that we never send them, and so recognise fraud. Runs
 * after validation, which limits the lengths.
 * @param options.isChecked whether the member has said that numbers which may be a bank account are something else
 * @throws DomainError `invalid_input`, or `possible_bank_account` where only the member can tell. It names the fields and does
 *   not repeat their values.
 */
export function refuseBankDetails(body: unknown, { isChecked }: { isChecked: boolean }): void {
  const found = [...textsOf(body, '')].map(([path, text]) => ({ path, certainty: findBankDetails(text) }));
  const errorsFor = (wanted: 'certain' | 'possible', message: string) =>
    Object.fromEntries(
      found.filter(({ certainty }) => certainty === wanted).map(({ path }) => [path, [message]]),
    );
  const certain = errorsFor('certain', bankDetailsNotAllowed);
  if (Object.keys(certain).length > 0)
    throw new DomainError('invalid_input', { message: bankDetailsNotAllowed, errors: certain });
  const possible = errorsFor('possible', isThisBankAccount);
  if (!isChecked && Object.keys(possible).length > 0)
    throw new DomainError('possible_bank_account', { errors: possible });
}

function* textsOf(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    if (!exempt.has(key)) yield* textsOf(member, path === '' ? key : `${path}.${key}`);
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
