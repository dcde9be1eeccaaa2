import type { DeskCase } from '@keyturn/contract/staff';
import { invalidInput } from '../../platform/domain-error.ts';
import type { EditDependencies } from './edit-case.ts';
import type { LockedCase } from './lock-record.ts';

/** Accepts a repeated request. @returns the id of the case @throws DomainError `invalid_input` for another request */
export function requireSame<Sent extends object>(
  former: Sent,
  record: Sent,
  fields: readonly (keyof Sent)[],
  { caseId }: LockedCase,
  idField = 'id',
): string {
  if (fields.some((field) => former[field] !== record[field]))
    throw invalidInput(idField, 'was used for another record: send this one with a new id');
  return caseId;
}

/** Finds an added record in the current case. */
export async function findAdded<List extends 'searches' | 'documents' | 'tasks'>(
  { database, readCase }: EditDependencies,
  caseId: string,
  list: List,
  reference: string,
): Promise<DeskCase[List][number]> {
  const records: readonly DeskCase[List][number][] = (await readCase(database, caseId))[list];
  const added = records.find((record) => record.reference === reference);
  if (!added) throw new Error(`${list} ${reference} was added and cannot be read`);
  return added;
}
