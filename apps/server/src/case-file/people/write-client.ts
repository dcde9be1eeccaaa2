import { refusalOfInvitations } from '../../people/clients/first-invitation.ts';
import {
  endAccessOfPreviousEmails,
  findOwnersOfEmails,
  setInitialPasswords,
  writeClients,
} from '../../people/clients/record/client-rows.ts';
import { storedPhone } from '../../platform/phone-numbers.ts';
import type * as tables from '../../schema/tables/tables.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { clientRecord } from './client-record.ts';
import { type Contacts, contactsToKeep, lockContacts, readContacts } from './own-contacts.ts';
import { createErasedCheck } from './reject-erased.ts';

interface PlannedRow {
  isNew: boolean;
  /** The contact details that the feed sent. */
  contacts: Pick<Contacts, 'email' | 'phone'>;
  row: typeof tables.clients.$inferInsert;
}

/** Writes clients. A password is set only while the client has none, and only once the firm can invite clients. */
export async function openClientWriter({
  clock,
  transaction,
  known,
  changes,
}: WriterContext<'clients'>): Promise<RecordWriter<'clients'>> {
  const now = clock();
  const owners = await findOwnersOfEmails(
    transaction,
    changes.map(({ record }) => record.email.trim()),
  );
  const stored = await readContacts(
    transaction,
    changes.map(({ id }) => id),
  );
  const rejectErased = await createErasedCheck(
    transaction,
    'client',
    changes.flatMap(({ record, isNew }) => (isNew ? record.reference : [])),
  );
  const refusal = changes.some(({ passwordHash }) => passwordHash !== null)
    ? await refusalOfInvitations(transaction)
    : null;
  for (const [id, { email, replacedFeedEmail }] of stored) if (replacedFeedEmail) owners.set(email, id);
  /** The emails that planned clients have from now on, and the clients whose stored email is no longer theirs. */
  const planned = new Map<string, string>();
  const moved = new Set<string>();
  const rows: PlannedRow[] = [];
  const passwords: { id: string; passwordHash: string }[] = [];

  const assertEmailIsFree = (id: string, email: string) => {
    const owner = owners.get(email);
    const isTaken = owner !== undefined && owner !== id && !moved.has(owner);
    if (isTaken || (planned.get(email.toLowerCase()) ?? id) !== id) throw new RecordRejected('', emailTaken);
    if (owner !== id) moved.add(id);
    planned.set(email.toLowerCase(), id);
  };
  return {
    plan: ({ record: { password: _password, reference, ...rest }, id, isNew, sent, passwordHash }) => {
      if (isNew) rejectErased(reference);
      const hasNoPassword = isNew || known.clients.get(reference)?.hasNoPassword === true;
      const setsPassword = passwordHash !== null && hasNoPassword;
      if (setsPassword && refusal !== null)
        throw new RecordRejected('/password', `cannot be set yet. ${refusal}`);
      const phone = rest.phone === undefined ? null : storedPhone(rest.phone);
      const contacts = { email: rest.email.trim(), phone };
      const kept = contactsToKeep(stored.get(id), contacts, now);
      assertEmailIsFree(id, kept.email);
      const row = {
        ...storedColumns(clientRecord, { reference, ...rest }),
        id,
        ...kept,
        feedHash: sent.hash,
        feedSentAt: sent.sentAt,
      };
      rows.push({ isNew, contacts, row });
      if (setsPassword) passwords.push({ id, passwordHash });
      return { id, ...sent, parent: '', caseId: '', hasNoPassword: hasNoPassword && !setsPassword };
    },
    write: async () => {
      // A client may have changed their contact details since the plan.
      const known = rows.flatMap(({ isNew, row: { id } }) => (isNew ? [] : [id]));
      const current = await lockContacts(transaction, known);
      for (const { row, contacts } of rows)
        Object.assign(row, contactsToKeep(current.get(row.id), contacts, now));
      const updated = rows.flatMap(({ isNew, row: { id, email } }) => (isNew ? [] : [{ id, email }]));
      if (updated.length > 0) await endAccessOfPreviousEmails(transaction, updated, clock());
      await writeClients(transaction, rows);
      if (passwords.length > 0) await setInitialPasswords(transaction, passwords);
    },
  };
}

export const emailTaken = 'has an email address that another client has';
