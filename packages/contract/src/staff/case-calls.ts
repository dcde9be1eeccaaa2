import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { IdInput, IdParam } from '../calls/call-definition.ts';
import { Email } from '../calls/credential-fields.ts';
import { HistoryEntry } from '../entities/case-entities.ts';
import { Day, Id, Nullable, OneOf } from '../entities/values.ts';
import {
  bindingMoments,
  caseSearchOutcomes,
  caseStatuses,
  documentGroups,
  documentMediaTypes,
  milestoneStatuses,
  searchRequirements,
  signingMethods,
  taskKinds,
  taskStatuses,
} from '../vocabulary.ts';
import {
  DeskCase,
  DeskDocument,
  DeskMatter,
  DeskMilestone,
  DeskSearch,
  DeskTask,
  RecordVersion,
} from './case-at-desk.ts';
import { body, type StaffCallDefinition } from './staff-call-definition.ts';
import { identityChecks, staffRoles } from './staff-entities.ts';
import { maxUpdateLength, withdrawalReasons } from './staff-vocabulary.ts';

const editors = ['handler', 'admin'] as const;
const inSession = ['unauthenticated', 'not_from_desk', 'factor_required', 'role_not_permitted'] as const;
const adding = [...inSession, 'invalid_input', 'not_found', 'edit_not_possible'] as const;
const editing = [...adding, 'changed_meanwhile'] as const;

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
/** The id of a new record, chosen by the desk, so that repeating the request adds no second record. */
const NewId = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
});
const Maybe = Type.Optional;
/** If left out, the value stays unchanged; null removes it. */
const Removable = <Schema extends TSchema>(schema: Schema) => Maybe(Nullable(schema));

/** Edits the named fields. The response has the record, and the edit that undoes the change. */
const edit = <Fields extends TProperties>(fields: Fields) =>
  body({
    version: RecordVersion,
    changes: Type.Object(fields, { additionalProperties: false, minProperties: 1 }),
    /** Whether the edit undoes an earlier one, and so may restore values such as a missed promise. */
    is_undo: Maybe(Type.Literal(true)),
  });

const Price = Type.Object(
  {
    net: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Pence' }),
    vat_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent' }),
    vat: Maybe(
      Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Pence; default: net at the rate' }),
    ),
  },
  { additionalProperties: false },
);
const searchFields = {
  name: Text(200),
  supplier: Text(200),
  explanation: Text(1000),
  price: Price,
  refund_rule: Text(1000),
  required_by: OneOf(searchRequirements),
};
/** A file that was uploaded before. */
const File = { file_id: NewId, file_name: Text(200) };

const ClientOfCaseParams = Type.Object({ id: Id, client_id: Id });

const milestoneEdit = edit({
  status: Maybe(OneOf(milestoneStatuses)),
  /** Needed for `done`. */
  reached_on: Removable(Day),
  waiting_for: Removable(Text(200)),
  waiting_since: Removable(Day),
  /** The promised day, today or later. */
  next_update_by: Removable(Day),
  expected_from: Removable(Day),
  expected_to: Removable(Day),
});
const datesEdit = edit({
  target_exchange_on: Removable(Day),
  target_completion_on: Removable(Day),
  exchanged_on: Removable(Day),
  completed_on: Removable(Day),
});
const statusEdit = body({
  /** The matters that change. The status of the case follows from those of all its matters. */
  matters: Type.Array(
    Type.Object(
      {
        id: IdInput,
        version: RecordVersion,
        status: OneOf(caseStatuses),
        /** Needed for `completed` if the day is not known yet. */
        completed_on: Removable(Day),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 20 },
  ),
  /** Sent to the clients as an update. It cannot be undone. */
  update: Nullable(Type.Object({ id: NewId, text: Text(maxUpdateLength) }, { additionalProperties: false })),
  /** Whether the edit undoes an earlier one, and so may restore statuses that only the firm’s system can set. */
  is_undo: Maybe(Type.Literal(true)),
});
const searchEdit = edit({
  name: Maybe(searchFields.name),
  supplier: Maybe(searchFields.supplier),
  explanation: Maybe(searchFields.explanation),
  price: Maybe(searchFields.price),
  refund_rule: Maybe(searchFields.refund_rule),
  required_by: Maybe(searchFields.required_by),
  expected_on: Removable(Day),
  delayed_reason: Removable(Text(500)),
  valid_until: Removable(Day),
  outcome: Maybe(OneOf(caseSearchOutcomes)),
  outcome_summary: Removable(Text(1000)),
});
const documentEdit = edit({
  title: Maybe(Text(300)),
  group: Maybe(OneOf(documentGroups)),
  /** Also adds the task to sign it, or completes that task. */
  signing: Removable(OneOf(signingMethods)),
  binds_on: Removable(OneOf(bindingMoments)),
  received_on: Removable(Day),
  /** Can only be switched on once the document is signed. */
  confirm_identity: Maybe(Type.Boolean()),
});
const taskEdit = edit({
  status: Maybe(OneOf(taskStatuses)),
  title: Maybe(Text(200)),
  explanation: Maybe(Text(1000)),
  due_on: Removable(Day),
});

/** 25 MB. */
export const maxUploadBytes = 25 * 1024 * 1024;

/** The calls with which staff read and edit one case. */
export const caseCalls = {
  'GET /staff/cases/{id}': {
    summary: 'Get a case with everything that staff need to run it',
    access: staffRoles,
    params: IdParam,
    data: DeskCase,
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted', 'not_found'],
  },
  'PUT /staff/milestones/{id}': {
    summary: 'Change the status, dates or texts of a milestone, and promise the next update',
    access: editors,
    params: IdParam,
    body: milestoneEdit,
    data: Type.Object({ milestone: DeskMilestone, undo: Nullable(milestoneEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/matters/{id}/dates': {
    summary: 'Change the key dates of a matter',
    access: editors,
    params: IdParam,
    body: datesEdit,
    data: Type.Object({ matter: DeskMatter, undo: Nullable(datesEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/cases/{id}/status': {
    summary: 'Put the matters of a case on hold, complete, abandon or reopen them, and tell the clients',
    access: editors,
    params: IdParam,
    body: statusEdit,
    data: Type.Object({ status: OneOf(caseStatuses), undo: Nullable(statusEdit.schema) }),
    errors: editing,
  },
  'PUT /staff/cases/{id}/clients/{client_id}': {
    summary: 'Let a client see a case',
    access: editors,
    // A thief of a session could otherwise give a client of their own lasting access.
    confirmed: true,
    params: ClientOfCaseParams,
    errors: [...inSession, 'identity_not_confirmed', 'not_found', 'edit_not_possible'],
  },
  'DELETE /staff/cases/{id}/clients/{client_id}': {
    summary:
      'Remove a client from a case, which they can no longer see. What they have signed and paid stays',
    access: editors,
    params: ClientOfCaseParams,
    errors: [...inSession, 'not_found', 'edit_not_possible'],
  },
  'POST /staff/cases/{id}/updates': {
    summary:
      'Send an update to the clients of a case, and keep, move or make promises with it. Cannot be undone',
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
    access: editors,
    params: IdParam,
    body: searchEdit,
    data: Type.Object({ search: DeskSearch, undo: Nullable(searchEdit.schema) }),
    errors: editing,
  },
  'POST /staff/searches/{id}/order': {
    summary: 'Record that a search was ordered. Cannot be undone',
    access: editors,
    params: IdParam,
    body: body({ version: RecordVersion, expected_on: Removable(Day) }),
    data: Type.Object({ search: DeskSearch }),
    errors: editing,
  },
  'POST /staff/searches/{id}/result': {
    summary: 'Record that a search was returned, with the file and a summary of its result. Cannot be undone',
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
    access: editors,
    params: IdParam,
    body: body({ version: RecordVersion }),
    data: Type.Object({ search: DeskSearch }),
    errors: editing,
  },
  'POST /staff/files': {
    summary: 'Upload the file of a document, which has to be added within a day',
    access: editors,
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
      /** The document of which this is a newer version. */
      supersedes: Nullable(IdInput),
    }),
    data: Type.Object({ document: DeskDocument }),
    errors: adding,
  },
  'PUT /staff/documents/{id}': {
    summary: 'Change a document, ask for signatures, or record that the signed paper has arrived',
    access: editors,
    params: IdParam,
    body: documentEdit,
    data: Type.Object({ document: DeskDocument, undo: Nullable(documentEdit.schema) }),
    errors: editing,
  },
  'GET /staff/documents/{id}/file': {
    summary:
      'Get the file of a document, with its signature page if it is signed. It does not count as read by a client',
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
    access: editors,
    params: IdParam,
    body: taskEdit,
    data: Type.Object({ task: DeskTask, undo: Nullable(taskEdit.schema) }),
    errors: editing,
  },
  'POST /staff/clients/{id}/invitation': {
    summary: 'Email a client another invitation to choose a password',
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found', 'edit_not_possible'],
  },
  'POST /staff/clients/{id}/password-link': {
    summary: 'Email a client a link to choose a new password',
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found', 'edit_not_possible'],
  },
  'POST /staff/clients/{id}/sign-in-reset': {
    summary:
      'Remove everything that a client signs in with, and email them a link to start again. Cannot be undone',
    access: editors,
    confirmed: true,
    params: IdParam,
    body: body({
      identity_check: OneOf(identityChecks),
      /** Where the link goes: the client’s address, or the firm’s one that the client has replaced, which is restored then. */
      email: Email,
    }),
    errors: [...editing, 'identity_not_confirmed'],
  },
  'DELETE /staff/clients/{id}/sessions': {
    summary: 'Sign a client out everywhere',
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found'],
  },
  'POST /staff/clients/{id}/disable': {
    summary: 'Sign a client out everywhere, and do not let them sign in',
    access: editors,
    params: IdParam,
    errors: [...inSession, 'not_found', 'edit_not_possible'],
  },
  'POST /staff/clients/{id}/enable': {
    summary: 'Let a disabled client sign in again',
    access: ['admin'],
    confirmed: true,
    params: IdParam,
    errors: [...inSession, 'identity_not_confirmed', 'not_found', 'edit_not_possible'],
  },
} as const satisfies Record<string, StaffCallDefinition>;

export type CaseCallKey = keyof typeof caseCalls;
export type MilestoneEdit = Static<typeof milestoneEdit.schema>;
export type DatesEdit = Static<typeof datesEdit.schema>;
export type StatusEdit = Static<typeof statusEdit.schema>;
export type SearchEdit = Static<typeof searchEdit.schema>;
export type DocumentEdit = Static<typeof documentEdit.schema>;
export type TaskEdit = Static<typeof taskEdit.schema>;
