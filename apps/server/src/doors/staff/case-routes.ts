import type { CaseCallKey } from '@keyturn/contract/staff';
import { editBill, setBillDocument } from '../../case-file/bills/edit-bill.ts';
import { addClientToCase, removeClientFromCase } from '../../case-file/cases/case-clients.ts';
import { editCancellation } from '../../case-file/cases/edit-cancellation.ts';
import { editStatus } from '../../case-file/cases/edit-status.ts';
import { addDocument } from '../../case-file/documents/add-document.ts';
import { editDocument } from '../../case-file/documents/edit-document.ts';
import { type OpenDependencies, openDocumentAtDesk } from '../../case-file/documents/open-at-desk.ts';
import { withdrawDocumentAtDesk } from '../../case-file/documents/withdraw-at-desk.ts';
import type { EditDependencies, EditRequest } from '../../case-file/editing/edit-case.ts';
import { uploadFile } from '../../case-file/editing/upload-file.ts';
import { sendUpdate } from '../../case-file/history/send-update.ts';
import { editDates, editFeatures, editMilestone } from '../../case-file/matters/edit-matter.ts';
import { markExchange, undoExchange } from '../../case-file/matters/mark-exchange.ts';
import { setQuiet } from '../../case-file/quiet/set-quiet.ts';
import { addSearch } from '../../case-file/searches/add-search.ts';
import { cancelSearch, editSearch, orderSearch, returnSearch } from '../../case-file/searches/edit-search.ts';
import { addTask } from '../../case-file/tasks/add-task.ts';
import { editTask } from '../../case-file/tasks/edit-task.ts';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { clientLinkLane } from '../../people/credentials/attempt-lanes.ts';
import { limitSending } from '../../people/credentials/limit-links.ts';
import type { LoginThrottle } from '../../people/credentials/login-throttle.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';
import { recordAuditOncePerDay } from '../../platform/audit/record-audit-once-per-day.ts';
import { isSessionOpen, type SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import {
  type AccessDependencies,
  disableClientAtDesk,
  enableClientAtDesk,
  endClientSessions,
  inviteClient,
  resetClientSignIn,
  sendPasswordLink,
} from './client-access.ts';

export interface DeskCaseDependencies extends EditDependencies, AccessDependencies, OpenDependencies {
  throttle: LoginThrottle;
}

/** Returns the handlers of the calls with which staff read and edit one case. */
export function deskCaseHandlers(dependencies: DeskCaseDependencies): StaffHandlers<CaseCallKey> {
  const { database, readCase } = dependencies;
  /** Calls an edit with the id from the path and the validated body. */
  const editing =
    <Body, Answer>(
      edit: (
        withDependencies: DeskCaseDependencies,
        request: EditRequest,
        id: string,
        body: Body,
      ) => Promise<Answer>,
    ) =>
    (request: EditingRequest<Body>): Promise<Answer> =>
      edit(dependencies, requestOf(request), request.params.id, request.body);
  const limitLink = ({ staff }: SignedInRequest, send: () => Promise<void>) =>
    limitSending(dependencies.throttle, clientLinkLane(staff.id), send);
  return {
    'GET /staff/cases/{id}': async (request) => {
      const found = await readCase(database, request.params.id);
      // Reads of personal data are audited, but not every read of an open page.
      await runTransaction(database, (transaction) =>
        recordAuditOncePerDay(transaction, {
          ...byStaff(request),
          occurredAt: dependencies.clock(),
          action: 'case.read',
          subject: { kind: 'case', id: found.reference },
        }),
      );
      return found;
    },
    'PUT /staff/milestones/{id}': editing(editMilestone),
    'PUT /staff/matters/{id}/dates': editing(editDates),
    'PUT /staff/matters/{id}/features': editing(editFeatures),
    'PUT /staff/cases/{id}/quiet': editing(setQuiet),
    'POST /staff/matters/{id}/exchange': editing(markExchange),
    'POST /staff/matters/{id}/exchange/undo': editing(undoExchange),
    'PUT /staff/cases/{id}/status': editing(editStatus),
    'PUT /staff/cases/{id}/cancellation': editing(editCancellation),
    'PUT /staff/cases/{id}/clients/{client_id}': async (request) => {
      await addClientToCase(dependencies, requestOf(request), request.params);
      return undefined;
    },
    'DELETE /staff/cases/{id}/clients/{client_id}': async (request) => {
      await removeClientFromCase(dependencies, requestOf(request), request.params);
      return undefined;
    },
    'POST /staff/cases/{id}/updates': editing(sendUpdate),
    'POST /staff/matters/{id}/searches': editing(addSearch),
    'PUT /staff/searches/{id}': editing(editSearch),
    'POST /staff/searches/{id}/order': editing(orderSearch),
    'POST /staff/searches/{id}/result': editing(returnSearch),
    'POST /staff/searches/{id}/cancel': editing(cancelSearch),
    'POST /staff/files': async (request) => {
      const { id, mediaType, size } = await uploadFile(dependencies, requestOf(request), request.file);
      return { file_id: id, media_type: mediaType, size };
    },
    'POST /staff/matters/{id}/documents': editing(addDocument),
    'PUT /staff/documents/{id}': editing(editDocument),
    'GET /staff/documents/{id}/file': ({ params, query, ...request }) =>
      openDocumentAtDesk(dependencies, requestOf(request), { documentId: params.id, version: query.version }),
    'POST /staff/documents/{id}/withdraw': (request) =>
      withdrawDocumentAtDesk(dependencies, requestOf(request), {
        id: request.params.id,
        reason: request.body?.reason ?? 'mistake',
      }),
    'POST /staff/cases/{id}/tasks': editing(addTask),
    'PUT /staff/tasks/{id}': editing(editTask),
    'PUT /staff/bills/{id}': editing(editBill),
    'POST /staff/bills/{id}/document': editing(setBillDocument),
    'POST /staff/clients/{id}/invitation': async (request) => {
      await limitLink(request, () => inviteClient(dependencies, requestOf(request), request.params.id));
      return undefined;
    },
    'POST /staff/clients/{id}/password-link': async (request) => {
      await limitLink(request, () => sendPasswordLink(dependencies, requestOf(request), request.params.id));
      return undefined;
    },
    'POST /staff/clients/{id}/sign-in-reset': async (request) => {
      await limitLink(request, () =>
        resetClientSignIn(dependencies, requestOf(request), request.params.id, request.body),
      );
      return undefined;
    },
    'DELETE /staff/clients/{id}/sessions': async (request) => {
      await endClientSessions(dependencies, requestOf(request), request.params.id);
      return undefined;
    },
    'POST /staff/clients/{id}/disable': async (request) => {
      await disableClientAtDesk(dependencies, requestOf(request), request.params.id);
      return undefined;
    },
    'POST /staff/clients/{id}/enable': async (request) => {
      await enableClientAtDesk(dependencies, requestOf(request), request.params.id);
      return undefined;
    },
  };
}

interface SignedInRequest {
  staff: SignedInStaff;
  address: string;
}

interface EditingRequest<Body> extends SignedInRequest {
  params: { id: string };
  body: Body;
}

const requestOf = ({ staff, address }: SignedInRequest): EditRequest => ({
  ...byStaff({ staff, address }),
  mayEdit: (transaction) => isSessionOpen(transaction, staff),
});
