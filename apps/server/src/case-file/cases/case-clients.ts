import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { DomainError, notPossible } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import type { EditRequest } from '../editing/edit-case.ts';
import { type EditDependencies, editCase } from '../editing/edit-case.ts';
import { readExisting } from '../editing/edit-record.ts';

/** A client of a case, as in the path of a call. */
export interface ClientOfCase {
  /** The id of the case. */
  id: string;
  client_id: string;
}

/**
 * Lets a client see a case. Nothing changes if they can already.
 * @throws DomainError `not_found`, `edit_not_possible`, `unauthenticated`, `unavailable`
 */
export const addClientToCase = (
  dependencies: EditDependencies,
  request: EditRequest,
  ids: ClientOfCase,
): Promise<void> =>
  changeClients(dependencies, request, ids, (present, client) => [...new Set([...present, client])]);

/**
 * Removes a client from a case, which they can no longer see. Nothing changes if they are not on it.
 * @throws DomainError as `addClientToCase`
 */
export const removeClientFromCase = (
  dependencies: EditDependencies,
  request: EditRequest,
  ids: ClientOfCase,
): Promise<void> =>
  changeClients(dependencies, request, ids, (present, client) => {
    const others = present.filter((reference) => reference !== client);
    if (others.length === 0)
      throw notPossible(
        'This is the only client of the case. Add the right client first, or disable the access of this one.',
      );
    return others;
  });

async function changeClients(
  dependencies: EditDependencies,
  request: EditRequest,
  { id, client_id }: ClientOfCase,
  change: (present: readonly string[], client: string) => string[],
): Promise<void> {
  await editCase(dependencies, request, { kind: 'case', id }, async (editor, { caseReference }) => {
    const stored = await readExisting(editor, 'cases', caseReference);
    const clients = change(stored.clients, await findClientReference(editor.transaction, client_id));
    if (clients.length !== stored.clients.length) await editor.store('cases', [{ ...stored, clients }]);
  });
}

async function findClientReference(transaction: Transaction, clientId: string): Promise<string> {
  if (!isId(clientId)) throw new DomainError('not_found');
  const { rows } = await transaction.execute<{ reference: string }>(
    sql`select reference from clients where id = ${clientId} and erased_at is null`,
  );
  const [found] = rows;
  if (!found) throw new DomainError('not_found');
  return found.reference;
}
