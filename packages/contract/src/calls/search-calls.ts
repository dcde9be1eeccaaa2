import { Type } from 'typebox';
import { CaseSearch } from '../entities/case-entities.ts';
import { type CallDefinition, IdParam } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const searchCalls = {
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
} as const satisfies Record<string, CallDefinition>;
