import { createCaseReader } from '../case-file/cases/read-desk-case.ts';
import { type ContentDependencies, readContentForStaff } from '../case-file/documents/read-content.ts';
import { withdrawDocument } from '../case-file/documents/withdraw-document.ts';
import { editRecords } from '../case-file/editing/edit-records.ts';
import { findFaultOfFile, uploadFile } from '../case-file/editing/upload-file.ts';
import type { ImportDependencies } from '../case-file/import/batches/batch-context.ts';
import {
  computeDerivedWaiting,
  computeMilestoneFields,
  milestoneJson,
} from '../case-file/milestones/read-milestones.ts';
import { caseSearch, searchesOfCase } from '../case-file/searches/read-case-searches.ts';
import { createSendQueue } from '../doors/feed/send-queue.ts';
import type { DeskCaseDependencies } from '../doors/staff/case-routes.ts';
import { billsOf, type StoredBill, toBillWithPayments } from '../payments/bills/bills-store.ts';
import { toBill } from '../payments/bills/list-bills.ts';
import { disableClient, enableClient } from '../people/clients/disable-client.ts';
import { resetSignIn } from '../people/clients/reset-sign-in.ts';
import { requestPasswordLink } from '../people/clients/send-password-link.ts';
import type { Sessions } from '../people/clients/sessions.ts';

/** Edits wait for each other, and for an import in progress, with one connection to the database. */
const queueLimits = { maxWaiting: 30, maxWait: 10_000 };

/** Connects the reading and editing of cases at the desk with the case feed, the clients’ screens and their sign-in. */
export function composeDeskCase({
  importDependencies,
  contents,
  sessions,
}: {
  importDependencies: ImportDependencies;
  contents: ContentDependencies;
  sessions: Pick<Sessions, 'revokeSessionsOf'>;
}): DeskCaseDependencies {
  const { database, clock } = importDependencies;
  const queue = createSendQueue(queueLimits);
  return {
    database,
    clock,
    feed: {
      editRecords: (request, work) =>
        queue({ hasLeft: () => false }, () => editRecords(importDependencies, request, work)),
      uploadFile: (request, content) => uploadFile(importDependencies, request, content),
      findSigningFault: (reference) => findFaultOfFile(importDependencies, reference),
    },
    documents: {
      open: (request) => readContentForStaff(contents, request),
      withdraw: (transaction, request) => withdrawDocument(transaction, { ...request, at: clock() }),
    },
    access: {
      sendPasswordLink: (transaction, email, purpose) =>
        requestPasswordLink(transaction, email, purpose === 'invitation' ? purpose : 'forgotten', {
          isFromFirm: true,
        }),
      resetSignIn: (transaction, client, options) =>
        resetSignIn({ database, clock }, transaction, client, options),
      endSessions: (transaction, clientId) => sessions.revokeSessionsOf(clientId, transaction),
      disable: (transaction, clientId) => disableClient(transaction, clientId, clock()),
      enable: (transaction, clientId) => enableClient(transaction, clientId, clock()),
    },
    readCase: createCaseReader(
      {
        milestone: { json: milestoneJson, computeFields: computeMilestoneFields, computeDerivedWaiting },
        search: { json: caseSearch, joins: searchesOfCase },
        bills: {
          select: billsOf,
          toBills: (stored, today) =>
            (stored as StoredBill[]).map((bill) => toBill(toBillWithPayments(bill), today)),
        },
      },
      clock,
    ),
  };
}
