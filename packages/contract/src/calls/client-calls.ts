import { Type } from 'typebox';
import { Client } from '../entities/case-entities.ts';
import { type CallDefinition, IdInput } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const clientCalls = {
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
} as const satisfies Record<string, CallDefinition>;
