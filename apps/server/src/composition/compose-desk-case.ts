import { createCaseReader } from '../features/desk/case/read-case.ts';
import type { DeskCaseDependencies } from '../features/desk/case/routes.ts';
import { type ContentDependencies, readContentForStaff } from '../features/documents/read-content.ts';
import { withdrawDocument } from '../features/documents/withdraw-document.ts';
import { createSendQueue } from '../features/feed/api/send-queue.ts';
import type { ImportDependencies } from '../features/feed/batches/batch-context.ts';
import { editRecords } from '../features/feed/edits/edit-records.ts';
import { findFaultOfFile, uploadFile } from '../features/feed/edits/upload-file.ts';
import {
  computeDerivedWaiting,
  computeMilestoneFields,
  milestoneJson,
} from '../features/milestones/read-milestones.ts';
import { billsOf, type StoredBill, toBillWithPayments } from '../features/payments/bills/bills-store.ts';
import { toBill } from '../features/payments/bills/list-bills.ts';
import { caseSearch, searchesOfCase } from '../features/searches/read-case-searches.ts';
import { disableClient, enableClient } from '../features/sign-in/disable-client.ts';
import { resetSignIn } from '../features/sign-in/reset-sign-in.ts';
import { requestPasswordLink } from '../features/sign-in/send-password-link.ts';
import type { Sessions } from '../features/sign-in/sessions.ts';

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
