import { type Static, Type } from 'typebox';
import { body } from '../calls/call-definition.ts';
import { Id, Instant, Nullable, OneOf } from '../entities/values.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { staffRoles } from './staff-entities.ts';

const actorKinds = ['staff', 'feed_key', 'client', 'command_line', 'system'] as const;
const Values = Nullable(
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
);

/** An entry of the audit log as everyone at the firm may see it. */
export const TrailEntry = Type.Object({
  position: Type.Integer(),
  id: Id,
  at: Instant,
  actor: Type.Object({ kind: OneOf(actorKinds), name: Type.String() }),
  action: Type.String(),
  subject: Type.Object({ kind: Type.String(), id: Nullable(Type.String()) }),
  /** What changed. Never names, addresses or texts of clients. */
  before: Values,
  after: Values,
});
export type TrailEntry = Static<typeof TrailEntry>;

/** An entry as admins see it. */
export const AuditEntry = Type.Object({
  ...TrailEntry.properties,
  actor: Type.Object({ kind: OneOf(actorKinds), id: Nullable(Type.String()), name: Type.String() }),
  /** The IP address of the caller; null for commands. */
  address: Nullable(Type.String()),
});
export type AuditEntry = Static<typeof AuditEntry>;

const DayInput = Type.String({ format: 'date', maxLength: 10 });
const filter = {
  /** Id or name. */
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Id or reference. */
  subject: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  /** Days in UTC, both included. */
  from: Type.Optional(DayInput),
  to: Type.Optional(DayInput),
};
const admins = ['admin'] as const;
const reading = ['unauthenticated', 'factor_required', 'role_not_permitted', 'invalid_input'] as const;

/** The calls about the audit log. */
export const auditCalls = {
  'GET /staff/audit': {
    summary: 'List entries of the audit log, newest first',
    ...deskDefaults,
    access: admins,
    query: Type.Object(
      {
        ...filter,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
        /** Continues with the entries before this position. */
        before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      },
      { additionalProperties: false },
    ),
    data: Type.Object({
      entries: Type.Array(AuditEntry),
      /** For `before`; null on the last page. */
      next_before: Nullable(Type.Integer()),
      /** Every action that is audited, for the filter. */
      actions: Type.Array(Type.String()),
    }),
    errors: [...reading],
  },
  'POST /staff/audit/verify': {
    summary: 'Verify the hash of every entry of the audit log',
    ...deskDefaults,
    access: admins,
    body: body({
      /** A position recorded earlier, such as `12:9f86d0…`, to detect that newer entries were removed. */
      expected: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}:[\\da-f]{64}$' })),
    }),
    data: Type.Object({
      verified_at: Instant,
      /** Why the log is not intact; null if it is. */
      problem: Nullable(Type.String()),
      /** The last position and its hash; null for an empty log, and for one that is not intact. */
      head: Nullable(Type.String()),
    }),
    errors: [...reading, 'not_from_desk'],
  },
  'GET /staff/audit/export': {
    summary: 'Download the audit log, oldest entry first; the download is recorded in it',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    query: Type.Object(
      { ...filter, format: Type.Optional(OneOf(['csv', 'jsonl'])) },
      { additionalProperties: false },
    ),
    file: ['text/csv', 'application/jsonl'],
    errors: [...reading, 'identity_not_confirmed'],
  },
  'GET /staff/trail/{kind}/{id}': {
    summary: 'List who did what on a case or a payment, newest first',
    ...deskDefaults,
    access: staffRoles,
    params: Type.Object({ kind: Type.String(), id: Id }),
    query: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
        /** The position of the last entry of the previous page. */
        before: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false },
    ),
    data: Type.Array(TrailEntry),
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted', 'invalid_input', 'not_found'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
