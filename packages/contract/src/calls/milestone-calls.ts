import { Type } from 'typebox';
import { Milestone } from '../entities/case-entities.ts';
import type { CallDefinition } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const milestoneCalls = {
  'GET /milestones': {
    summary: 'List the milestones of every matter of the active case, in order',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(Milestone),
    errors: ['unauthenticated'],
  },
} as const satisfies Record<string, CallDefinition>;
