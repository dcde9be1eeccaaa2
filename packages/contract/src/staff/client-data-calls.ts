import { type Static, Type } from 'typebox';
import { body, IdParam } from '../calls/call-definition.ts';
import { Id, Instant, Nullable, OneOf } from '../entities/values.ts';
import { caseStatuses } from '../vocabulary.ts';
import { RecordVersion } from './case-at-desk.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';

/** The kinds of records with a retention rule. A closed case is kept for the longest of its matters and its payments. */
export const retentionKinds = [
  'purchase',
  'transfer-of-equity',
  'sale',
  'remortgage',
  'abandoned',
  'payments',
  'clients_without_cases',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

export const maxReasonLength = 500;

/** A legal hold of a client, or of a case. */
export const LegalHold = Type.Object({
  kind: OneOf(['case', 'client']),
  /** The id of the case or client. */
  subject_id: Id,
  /** The reference of the case, or the name of the client. */
  subject_name: Type.String(),
  reason: Type.String(),
  placed_at: Instant,
  placed_by: Type.String(),
  /** Null while it is in force, as are the next two; the reason is also null if none was given. */
  released_at: Nullable(Instant),
  released_by: Nullable(Type.String()),
  release_reason: Nullable(Type.String()),
});
export type LegalHold = Static<typeof LegalHold>;

/** A retention rule that applies to a case or client. */
const AppliedRule = Type.Object({
  kind: OneOf(retentionKinds),
  months: Type.Integer(),
  /** Null while the case is open. */
  until: Nullable(Instant),
});

const counts = { documents: Type.Integer(), signatures: Type.Integer(), payments: Type.Integer() };

/** A case with what Keyturn keeps about it, and until when. */
const KeptCase = Type.Object({
  id: Id,
  reference: Type.String(),
  title: Type.String(),
  status: OneOf(caseStatuses),
  closed_at: Nullable(Instant),
  ...counts,
  /** The names of its other clients. */
  shared_with: Type.Array(Type.String()),
  rules: Type.Array(AppliedRule),
  /** The latest end of its rules; null while it is open. */
  retained_until: Nullable(Instant),
  /** Whether it is erased in the night after its retention period ends. Otherwise it is only listed as due. */
  deletes: Type.Boolean(),
});
export type KeptCase = Static<typeof KeptCase>;

/** What Keyturn keeps about a client, and until when. */
export const ClientData = Type.Object({
  client: Type.Object({ id: Id, reference: Type.String(), name: Type.String() }),
  cases: Type.Array(KeptCase),
  /** The rule for a client without cases; null for any other. */
  without_cases: Nullable(Type.Object({ ...AppliedRule.properties, deletes: Type.Boolean() })),
  /** Of the client, of their cases, and of the other clients of those. Those in force first, then the newest. */
  holds: Type.Array(LegalHold),
});
export type ClientData = Static<typeof ClientData>;

/** A client in a list. */
export const ListedClient = Type.Object({
  id: Id,
  reference: Type.String(),
  name: Type.String(),
  email: Type.String(),
  case_references: Type.Array(Type.String()),
});
export type ListedClient = Static<typeof ListedClient>;

const PlannedCase = Type.Object({
  reference: Type.String(),
  title: Type.String(),
  ...counts,
  retained_until: Nullable(Instant),
  shared_with: Type.Array(Type.String()),
});

/** What an erasure of a client would delete and keep, and what prevents it. */
export const ErasurePlan = Type.Object({
  /** Identifies the content of the plan: an erasure names the plan that the member has read. */
  version: RecordVersion,
  reference: Type.String(),
  name: Type.String(),
  /** Cases that are the client’s alone. */
  erased: Type.Array(PlannedCase),
  /** Cases that stay for their other clients. */
  staying: Type.Array(PlannedCase),
  /** Why the client cannot be erased, in sentences without a full stop. */
  obstacles: Type.Array(Type.String()),
  /** Cases whose retention period has not ended, in the same form. */
  retained: Type.Array(Type.String()),
});
export type ErasurePlan = Static<typeof ErasurePlan>;

/** What is left of an erased client. */
export const ErasureRecord = Type.Object({
  /** The number of the erasure of the client. */
  number: Type.Integer(),
  /** The numbers of the erasures of the cases that were erased with them. */
  case_numbers: Type.Array(Type.Integer()),
  erased_at: Instant,
  ordered_by: Type.String(),
  /** The files of the cases. The server removes those that wait. */
  files: Type.Object({
    waiting: Type.Integer(),
    removed: Type.Integer(),
    /** Other records have the same file. */
    kept: Type.Integer(),
  }),
});
export type ErasureRecord = Static<typeof ErasureRecord>;

const editors = ['handler', 'admin'] as const;
const admins = ['admin'] as const;
const reading = ['unauthenticated', 'factor_required', 'role_not_permitted', 'not_found'] as const;
const changing = [...reading, 'not_from_desk', 'invalid_input', 'edit_not_possible'] as const;
const Reason = Type.String({ minLength: 1, maxLength: maxReasonLength, pattern: '\\S' });
const placing = {
  ...deskDefaults,
  access: editors,
  params: IdParam,
  body: body({ reason: Reason }),
  errors: [...changing],
} as const;
const releasing = {
  ...placing,
  access: admins,
  confirmed: true,
  errors: [...changing, 'identity_not_confirmed'],
} as const;

/** The calls about what the firm keeps about a client: retention, legal holds, export and erasure. */
export const clientDataCalls = {
  'GET /staff/clients': {
    summary: 'Find clients by name, email address or reference; without a search, list those without a case',
    ...deskDefaults,
    access: editors,
    query: Type.Object(
      { q: Type.Optional(Type.String({ maxLength: 200 })) },
      { additionalProperties: false },
    ),
    data: Type.Object({
      /** At most 50, by last name. */
      clients: Type.Array(ListedClient),
      has_more: Type.Boolean(),
    }),
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted', 'invalid_input'],
  },
  'GET /staff/clients/{id}/data': {
    summary: 'Get what is kept about a client, until when, and the legal holds',
    ...deskDefaults,
    access: editors,
    params: IdParam,
    data: ClientData,
    errors: [...reading],
  },
  'POST /staff/clients/{id}/hold': {
    summary: 'Place a legal hold on a client and all their cases: nothing erases them until it is released',
    ...placing,
  },
  'POST /staff/clients/{id}/hold/release': {
    summary: 'Release the legal hold of a client',
    ...releasing,
  },
  'POST /staff/cases/{id}/hold': {
    summary: 'Place a legal hold on a case: nothing erases it until it is released',
    ...placing,
  },
  'POST /staff/cases/{id}/hold/release': {
    summary: 'Release the legal hold of a case',
    ...releasing,
  },
  'GET /staff/clients/{id}/export': {
    summary: 'Download everything that Keyturn has about a client, as a ZIP archive; the download is audited',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    file: ['application/zip'],
    errors: [...reading, 'identity_not_confirmed'],
  },
  'GET /staff/clients/{id}/erasure': {
    summary: 'Get what an erasure of a client would delete and keep, or the record of the erasure',
    ...deskDefaults,
    access: admins,
    params: IdParam,
    data: Type.Object({
      /** Null once the client is erased. */
      plan: Nullable(ErasurePlan),
      /** Null before that. */
      record: Nullable(ErasureRecord),
    }),
    errors: [...reading],
  },
  'POST /staff/clients/{id}/erasure': {
    summary:
      'Erase a client with the cases that are theirs alone, once nothing requires them. Cannot be undone',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    body: body({
      version: RecordVersion,
      /** The reference of the client, typed by the member. */
      reference: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    data: ErasureRecord,
    errors: [...changing, 'identity_not_confirmed', 'changed_meanwhile'],
  },
} as const satisfies Record<string, StaffCallDefinition>;

export type ClientDataCallKey = keyof typeof clientDataCalls;
