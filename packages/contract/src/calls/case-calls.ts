import { Type } from 'typebox';
import { CaseSearch, Client, HistoryEntry, Milestone } from '../entities/case-entities.ts';
import { Maintenance } from '../entities/maintenance.ts';
import { Nullable, OneOf } from '../entities/values.ts';
import { historyCategories } from '../vocabulary.ts';
import { type CallDefinition, IdInput, IdParam } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const caseCalls = {
  'GET /maintenance': {
    summary: 'List which parts are in maintenance, and until when',
    ...usualPolicy,
    access: 'anyone',
    duringMaintenance: true,
    data: Maintenance,
    errors: [],
  },
  'GET /client': {
    summary: 'Get the signed-in client with the active case',
    ...usualPolicy,
    access: 'client',
    data: Client,
    errors: ['unauthenticated'],
  },
  'PUT /client/active-case': {
    summary: 'Switch to another case of the client',
    ...usualPolicy,
    access: 'client',
    body: { schema: Type.Object({ id: IdInput }, { additionalProperties: false }), optional: false },
    data: Client,
    errors: ['unauthenticated', 'not_found', 'invalid_input'],
  },
  'GET /case-searches': {
    summary: 'List the searches of the active case',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(CaseSearch),
    errors: ['unauthenticated'],
  },
  'GET /case-searches/{id}': {
    summary: 'Get one search of any of the client’s cases',
    ...usualPolicy,
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: CaseSearch,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /milestones': {
    summary: 'List the milestones of every matter of the active case, in order',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(Milestone),
    errors: ['unauthenticated'],
  },
  'GET /case-history': {
    summary: 'List the history of the active case, newest first',
    ...usualPolicy,
    access: 'client',
    area: 'case-history',
    query: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
        /** `meta.next_cursor` of the previous page. */
        cursor: Type.Optional(Type.String({ maxLength: 200 })),
        category: Type.Optional(OneOf(historyCategories)),
      },
      { additionalProperties: false },
    ),
    data: Type.Array(HistoryEntry),
    meta: Type.Object({ total: Type.Integer(), next_cursor: Nullable(Type.String()) }),
    errors: ['unauthenticated', 'invalid_input'],
  },
} as const satisfies Record<string, CallDefinition>;
