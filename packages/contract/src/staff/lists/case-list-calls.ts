import { type Static, Type } from 'typebox';
import { body, IdParam } from '../../calls/call-definition.ts';
import { Day, Id, Instant, Nullable, OneOf } from '../../entities/values.ts';
import { caseStatuses, matterTypes, milestoneActors } from '../../vocabulary.ts';
import { deskDefaults, type StaffCallDefinition } from '../staff-call-definition.ts';
import { staffRoles } from '../staff-entities.ts';
import { caseSorts, caseStatusFilters, promiseFilters } from './case-list-vocabulary.ts';

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

const filterFields = {
  /** Prefixes of the words in names, references, addresses and postcodes. */
  q: text(100),
  /** The email address of a handler. */
  handler: text(320),
  /** The key of a step under way. */
  step: text(100),
  matter_type: Type.Optional(OneOf(matterTypes)),
  status: Type.Optional(OneOf(caseStatusFilters)),
  promise: Type.Optional(OneOf(promiseFilters)),
  /** The party that usually does a step under way. */
  waiting_on: Type.Optional(OneOf(milestoneActors)),
  sort: Type.Optional(OneOf(caseSorts)),
};

/** The filters and the order of a list of cases. */
export const CaseFilter = Type.Object(filterFields, { additionalProperties: false });
export type CaseFilter = Static<typeof CaseFilter>;

/** The `cursor` of a case in the list; the page starts after it. */
const After = Type.Optional(Type.String({ maxLength: 400 }));

export const ListedCase = Type.Object({
  id: Id,
  reference: Type.String(),
  title: Type.String(),
  status: OneOf(caseStatuses),
  clients: Type.Array(Type.String()),
  handlers: Type.Array(Type.String()),
  matters: Type.Array(
    Type.Object({
      id: Id,
      matter_type: OneOf(matterTypes),
      address: Type.String(),
      /** The first step under way, and the party that usually does it; null without one. */
      step: Nullable(Type.Object({ title: Type.String(), actor: OneOf(milestoneActors) })),
    }),
  ),
  /** The earliest day of a promised update. */
  promised_on: Nullable(Day),
  /** When the firm last added to the history that clients see. */
  last_update_at: Nullable(Instant),
  cursor: Type.String(),
});
export type ListedCase = Static<typeof ListedCase>;

export const CaseList = Type.Object({
  /** In London. */
  today: Day,
  cases: Type.Array(ListedCase),
  has_more: Type.Boolean(),
  /** The number of cases in the list, counted up to 1,001; null after the first page. */
  count: Nullable(Type.Integer()),
});
export type CaseList = Static<typeof CaseList>;

export const CaseView = Type.Object({ id: Id, name: Type.String(), filter: CaseFilter });
export type CaseView = Static<typeof CaseView>;

const read = ['unauthenticated', 'factor_required'] as const;
const change = [...read, 'not_from_desk'] as const;

/** The calls of the list of cases, and of the lists that members save. */
export const caseListCalls = {
  'GET /staff/cases': {
    summary: 'List cases, 50 at a time',
    ...deskDefaults,
    access: staffRoles,
    query: Type.Object({ ...filterFields, after: After }, { additionalProperties: false }),
    data: CaseList,
    errors: [...read, 'invalid_input'],
  },
  'GET /staff/next-case': {
    summary: 'Find the case that follows another one in a list',
    ...deskDefaults,
    access: staffRoles,
    query: Type.Object({ ...filterFields, after: After }, { additionalProperties: false }),
    data: Nullable(
      Type.Object({ id: Id, reference: Type.String(), title: Type.String(), cursor: Type.String() }),
    ),
    errors: [...read, 'invalid_input'],
  },
  'GET /staff/case-filters': {
    summary: 'List the handlers and steps that cases can be filtered by',
    ...deskDefaults,
    access: staffRoles,
    data: Type.Object({
      handlers: Type.Array(Type.Object({ email: Type.String(), name: Type.String() })),
      steps: Type.Array(Type.Object({ key: Type.String(), title: Type.String() })),
    }),
    errors: [...read],
  },
  'GET /staff/case-views': {
    summary: 'List the caller’s saved views, by name',
    ...deskDefaults,
    access: staffRoles,
    data: Type.Array(CaseView),
    errors: [...read],
  },
  'POST /staff/case-views': {
    summary: 'Save a view; replaces the caller’s view of the same name',
    ...deskDefaults,
    access: staffRoles,
    body: body({ name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }), filter: CaseFilter }),
    data: CaseView,
    errors: [...change, 'invalid_input', 'too_many_views'],
  },
  'DELETE /staff/case-views/{id}': {
    summary: 'Delete a view of the caller',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    errors: [...change, 'not_found'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
export type CaseListCallKey = keyof typeof caseListCalls;
