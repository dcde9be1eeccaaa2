import type { FeedList, FeedRecord } from '@keyturn/contract';
import * as tables from '../../platform/tables/tables.ts';
import {
  endAccessOfPreviousEmail,
  type Known,
  replaceCaseClients,
  setInitialPassword,
  upsert,
} from './feed-store.ts';
import { RecordRejected } from './read-document.ts';
import type { RecordContext } from './record-context.ts';
import { assertParentUnchanged, find, instantOf } from './writers/find-references.ts';
import { writeBill } from './writers/write-bill.ts';
import { writeDocument } from './writers/write-document.ts';
import { writeMatter } from './writers/write-matter.ts';
import { writeSearch } from './writers/write-search.ts';
import { writeTask } from './writers/write-task.ts';

type Writer<List extends FeedList> = (record: FeedRecord<List>, context: RecordContext) => Promise<Known>;

/** Writes a record of each list, in the record's transaction. */
export const writers: { [List in FeedList]: Writer<List> } = {
  clients: async (client, context) => {
    const { dependencies, transaction, id, isNew, hash } = context;
    const { password, reference, ...rest } = client;
    const hasNoPassword = isNew || context.known.clients.get(reference)?.hasNoPassword === true;
    const setsPassword = password !== undefined && hasNoPassword;
    if (setsPassword) {
      const [problem] = dependencies.checkPassword(password);
      if (problem) throw new RecordRejected('/password', problem);
    }
    const email = rest.email.trim();
    if (!isNew) await endAccessOfPreviousEmail(transaction, id, email);
    await upsert(transaction, tables.clients, !isNew, {
      id,
      reference,
      title: rest.title ?? null,
      firstName: rest.first_name,
      lastName: rest.last_name,
      email,
      phone: rest.phone ?? null,
      feedHash: hash,
    });
    if (setsPassword) await setInitialPassword(transaction, id, await dependencies.hashPassword(password));
    return { id, hash, parent: '', caseId: '', hasNoPassword: hasNoPassword && !setsPassword };
  },

  cases: async (record, context) => {
    const { transaction, id, isNew, hash } = context;
    const clientIds = record.clients.map(
      (client, index) => find(context, 'clients', client, `/clients/${index}`).id,
    );
    await upsert(transaction, tables.conveyancingCases, !isNew, {
      id,
      reference: record.reference,
      title: record.title,
      status: record.status,
      handlers: record.handlers,
      feedHash: hash,
    });
    await replaceCaseClients(transaction, id, [...new Set(clientIds)]);
    return { id, hash, parent: '', caseId: id };
  },

  matters: writeMatter,
  documents: writeDocument,
  searches: writeSearch,
  tasks: writeTask,
  bills: writeBill,

  history: async (record, context) => {
    const { transaction, id, isNew, hash } = context;
    const caseId = find(context, 'cases', record.case, '/case').id;
    const parent = assertParentUnchanged(context, 'history', record.reference, '/case', caseId);
    await upsert(transaction, tables.historyEntries, !isNew, {
      id,
      caseId: parent,
      reference: record.reference,
      occurredAt: instantOf(record.occurred_at, '/occurred_at'),
      category: record.category,
      actor: record.actor,
      summary: record.summary,
      feedHash: hash,
    });
    return { id, hash, parent, caseId: parent };
  },
};
