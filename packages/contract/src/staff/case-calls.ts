import { Type } from 'typebox';
import { body, IdInput, IdParam } from '../calls/call-definition.ts';
import { Email } from '../calls/credential-fields.ts';
import { HistoryEntry } from '../entities/case-entities.ts';
import { Day, Id, Nullable, OneOf } from '../entities/values.ts';
import {
  bindingMoments,
  caseSearchOutcomes,
  caseStatuses,
  documentGroups,
  documentMediaTypes,
  signingMethods,
  taskKinds,
} from '../vocabulary.ts';
import {
  DeskBill,
  DeskCase,
  DeskDocument,
  DeskMatter,
  DeskMilestone,
  DeskSearch,
  DeskTask,
  RecordVersion,
} from './case-at-desk.ts';
import {
  billEdit,
  cancellationEdit,
  datesEdit,
  documentEdit,
  exchangeMark,
  exchangeUndo,
  File,
  featuresEdit,
  Maybe,
  milestoneEdit,
  NewId,
  quietEdit,
  Removable,
  searchEdit,
  searchFields,
  statusEdit,
  Text,
  taskEdit,
} from './case-edits.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { identityChecks, staffRoles } from './staff-entities.ts';
import { maxUpdateLength, withdrawalReasons } from './staff-vocabulary.ts';

const editors = ['handler', 'admin'] as const;
const inSession = ['unauthenticated', 'not_from_desk', 'factor_required', 'role_not_permitted'] as const;
const adding = [...inSession, 'invalid_input', 'not_found', 'edit_not_possible'] as const;
const editing = [...adding, 'changed_meanwhile'] as const;

const ClientOfCaseParams = Type.Object({ id: Id, client_id: Id });

/** 25 MB. */
export const maxUploadBytes = 25 * 1024 * 1024;

/** The calls with which staff read and edit one case. */
export const caseCalls = {
  'GET /staff/cases/{id}': {
    summary: 'Get a case with everything that staff need to run it',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    data: DeskCase,
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted', 'not_found'],
  },
  'PUT /staff/milestones/{id}': {
    summary: 'Change the status, dates or texts of a milestone, and promise the next update',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: milestoneEdit,
    data: Type.Object({ milestone: DeskMilestone, undo: Nullable(milestoneEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/matters/{id}/dates': {
    summary: 'Change the key dates of a matter',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: datesEdit,
    data: Type.Object({ matter: DeskMatter, undo: Nullable(datesEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/matters/{id}/features': {
    summary: 'Change what makes a matter special, which decides the steps that it has',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: featuresEdit,
    data: Type.Object({ matter: DeskMatter, undo: Nullable(featuresEdit.schema) }),
    errors: editing,
  },
  'POST /staff/matters/{id}/exchange': {
    summary:
      'Mark contracts as exchanged, with the completion date, the deposit and who authorised it, or correct these',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: exchangeMark,
    data: Type.Object({ matter: DeskMatter }),
    errors: editing,
  },
  'POST /staff/matters/{id}/exchange/undo': {
    summary: 'Take back an exchange that was marked by mistake, and tell the clients why',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: exchangeUndo,
    data: Type.Object({ matter: DeskMatter }),
    errors: editing,
  },
  'PUT /staff/cases/{id}/status': {
    summary: 'Put the matters of a case on hold, complete, abandon or reopen them, and tell the clients',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: statusEdit,
    data: Type.Object({ status: OneOf(caseStatuses), undo: Nullable(statusEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/cases/{id}/quiet': {
    summary: 'Make a case or a step quiet, or end that: nothing is sent or apologised for automatically',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    body: quietEdit,
    errors: adding,
  },
  'PUT /staff/cases/{id}/cancellation': {
    summary: 'Record until when the clients can cancel the firm’s services',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: cancellationEdit,
    data: Type.Object({ case: DeskCase, undo: Nullable(cancellationEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/cases/{id}/clients/{client_id}': {
    summary: 'Let a client see a case',
    ...deskDefaults,
    access: editors,
    // A thief of a session could otherwise give a client of their own lasting access.
    confirmed: true,
    params: ClientOfCaseParams,
    errors: [...inSession, 'identity_not_confirmed', 'not_found', 'edit_not_possible'],
  },
  'DELETE /staff/cases/{id}/clients/{client_id}': {
    summary:
      'Remove a client from a case, which they can no longer see. What they have signed and paid stays',
    ...deskDefaults,
    access: editors,
    params: ClientOfCaseParams,
    errors: [...inSession, 'not_found', 'edit_not_possible'],
  },
  'POST /staff/cases/{id}/updates': {
    summary:
      'Send an update to the clients of a case, and keep, move or make promises with it. Cannot be undone',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({
      id: NewId,
      /** Plain text. */
      text: Text(maxUpdateLength),
      /** The next promised day of each step that the update is about; null for no promise. */
      promises: Type.Array(
        Type.Object(
          { milestone_id: IdInput, version: RecordVersion, next_update_by: Nullable(Day) },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    }),
    data: Type.Object({ entry: HistoryEntry }),
    errors: editing,
  },
  'POST /staff/matters/{id}/searches': {
    summary: 'Add a search, or replace another one with it. Clients who have to pay for it get a task',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({
      id: NewId,
      code: Text(50),
      ...searchFields,
      /** `paid`: the firm received the money in another way, and orders the search. */
      status: OneOf(['awaiting_payment', 'paid']),
      /** For `awaiting_payment`: the day by which the clients should pay. */
      pay_by: Removable(Day),
      expected_on: Removable(Day),
      /** The search that is cancelled in the same change. */
      replaces: Maybe(Type.Object({ id: IdInput, version: RecordVersion }, { additionalProperties: false })),
    }),
    data: Type.Object({ search: DeskSearch }),
    errors: editing,
  },
  'PUT /staff/searches/{id}': {
    summary: 'Change a search. The price is fixed once a payment has started',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: searchEdit,
    data: Type.Object({ search: DeskSearch, undo: Nullable(searchEdit.schema) }),
    errors: editing,
  },
  'POST /staff/searches/{id}/order': {
    summary: 'Record that a search was ordered. Cannot be undone',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({ version: RecordVersion, expected_on: Removable(Day) }),
    data: Type.Object({ search: DeskSearch }),
    errors: editing,
  },
  'POST /staff/searches/{id}/result': {
    summary: 'Record that a search was returned, with the file and a summary of its result. Cannot be undone',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({
      version: RecordVersion,
      /** Null: the result is back and no one has reviewed it yet. */
      outcome: Nullable(OneOf(caseSearchOutcomes)),
      outcome_summary: Nullable(Text(1000)),
      valid_until: Removable(Day),
      /** The result, which the clients can then read. */
      document: Nullable(Type.Object({ ...File, title: Text(300) }, { additionalProperties: false })),
    }),
    data: Type.Object({ search: DeskSearch }),
    errors: editing,
  },
  'POST /staff/searches/{id}/cancel': {
    summary: 'Cancel a search that has not been returned, with its task. Cannot be undone',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({ version: RecordVersion }),
    data: Type.Object({ search: DeskSearch }),
    errors: editing,
  },
  'POST /staff/files': {
    summary: 'Upload the file of a document or bill, which has to be added within a day',
    ...deskDefaults,
    access: staffRoles,
    upload: { maxBytes: maxUploadBytes },
    data: Type.Object({
      file_id: Type.String(),
      media_type: OneOf(documentMediaTypes),
      size: Type.Integer(),
    }),
    errors: [
      ...inSession,
      'invalid_input',
      'payload_too_large',
      'unsupported_media_type',
      'edit_not_possible',
    ],
  },
  'POST /staff/matters/{id}/documents': {
    summary: 'Share an uploaded file with the clients of a matter. Cannot be undone',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({
      ...File,
      title: Text(300),
      group: OneOf(documentGroups),
      /** Also adds the task to sign it. */
      signing: Nullable(OneOf(signingMethods)),
      binds_on: Nullable(OneOf(bindingMoments)),
      confirm_identity: Maybe(Type.Boolean()),
      /** The reference of the only client who can see it; left out or null for everyone on the case. */
      for_client: Removable(Text(100)),
      /** The document of which this is a newer version. */
      supersedes: Nullable(IdInput),
    }),
    data: Type.Object({ document: DeskDocument }),
    errors: adding,
  },
  'PUT /staff/documents/{id}': {
    summary: 'Change a document, ask for signatures, or record that the signed paper has arrived',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: documentEdit,
    data: Type.Object({ document: DeskDocument, undo: Nullable(documentEdit.schema) }),
    errors: editing,
  },
  'GET /staff/documents/{id}/file': {
    summary:
      'Get the file of a document, with its signature page if it is signed. It does not count as read by a client',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    query: Type.Object({ version: Type.Optional(OneOf(['original'])) }, { additionalProperties: false }),
    file: documentMediaTypes,
    errors: [
      'unauthenticated',
      'factor_required',
      'role_not_permitted',
      'invalid_input',
      'not_found',
      'document_damaged',
    ],
  },
  'POST /staff/documents/{id}/withdraw': {
    summary:
      'Withdraw a shared document. Clients can no longer open it, and those who have seen it are asked by email to delete it. Cannot be undone',
    ...deskDefaults,
    access: editors,
    confirmed: true,
    params: IdParam,
    /** Pages of the last release send no reason, which then is a mistake. */
    body: { ...body({ reason: Type.Optional(OneOf(withdrawalReasons)) }), optional: true },
    data: Type.Object({ document: DeskDocument }),
    errors: [...inSession, 'identity_not_confirmed', 'not_found', 'edit_not_possible'],
  },
  'POST /staff/cases/{id}/tasks': {
    summary: 'Ask the clients of a case to do something',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: body({
      id: NewId,
      kind: OneOf(taskKinds),
      title: Text(200),
      explanation: Text(1000),
      due_on: Nullable(Day),
      /** Pence, for `pay`. */
      amount: Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
      matter_id: Nullable(IdInput),
      case_search_id: Nullable(IdInput),
      document_id: Nullable(IdInput),
    }),
    data: Type.Object({ task: DeskTask }),
    errors: adding,
  },
  'PUT /staff/tasks/{id}': {
    summary: 'Change, complete or reopen a task',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    body: taskEdit,
    data: Type.Object({ task: DeskTask, undo: Nullable(taskEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/bills/{id}': {
    summary: 'Change the lines of a bill. They are fixed once a payment of it has started',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    body: billEdit,
    data: Type.Object({ bill: DeskBill, undo: Nullable(billEdit.schema) }),
    errors: editing,
  },
  'POST /staff/bills/{id}/document': {
    summary: 'Share an uploaded PDF as the document of a bill. It replaces an earlier one. Cannot be undone',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    body: body({ version: RecordVersion, ...File }),
    data: Type.Object({ bill: DeskBill }),
    errors: editing,
  },
  'POST /staff/clients/{id}/invitation': {
    summary: 'Email a client another invitation to choose a password',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found', 'edit_not_possible', 'firm_data_missing', 'too_many_requests'],
  },
  'POST /staff/clients/{id}/password-link': {
    summary: 'Email a client a link to choose a new password',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found', 'edit_not_possible', 'too_many_requests'],
  },
  'POST /staff/clients/{id}/sign-in-reset': {
    summary:
      'Remove everything that a client signs in with, and email them a link to start again. Cannot be undone',
    ...deskDefaults,
    access: editors,
    confirmed: true,
    params: IdParam,
    body: body({
      identity_check: OneOf(identityChecks),
      /** Where the link goes: the client’s address, or the firm’s one that the client has replaced, which is restored then. */
      email: Email,
    }),
    errors: [...editing, 'identity_not_confirmed', 'too_many_requests'],
  },
  'DELETE /staff/clients/{id}/sessions': {
    summary: 'Sign a client out everywhere',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found'],
  },
  'POST /staff/clients/{id}/disable': {
    summary: 'Sign a client out everywhere, and do not let them sign in',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found', 'edit_not_possible'],
  },
  'POST /staff/clients/{id}/enable': {
    summary: 'Let a disabled client sign in again',
    ...deskDefaults,
    access: ['admin'],
    confirmed: true,
    params: IdParam,
    errors: [...inSession, 'identity_not_confirmed', 'not_found', 'edit_not_possible'],
  },
} as const satisfies Record<string, StaffCallDefinition>;

export type CaseCallKey = keyof typeof caseCalls;
