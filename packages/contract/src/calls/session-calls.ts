import { Type } from 'typebox';
import { ClientSession } from '../entities/client-session.ts';
import { type CallDefinition, IdParam } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const sessionCalls = {
  'GET /sessions': {
    summary: 'The client’s sessions that have not ended, this one first',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(ClientSession),
    errors: ['unauthenticated'],
  },
  'DELETE /sessions': {
    summary: 'Sign out everywhere else',
    ...usualPolicy,
    access: 'client',
    errors: ['unauthenticated'],
  },
  'DELETE /sessions/{id}': {
    summary: 'Sign out of one of the client’s sessions',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    errors: ['unauthenticated', 'not_found'],
  },
} as const satisfies Record<string, CallDefinition>;
