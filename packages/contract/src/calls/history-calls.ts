import { Type } from 'typebox';
import { HistoryEntry } from '../entities/case-entities.ts';
import { Nullable, OneOf } from '../entities/values.ts';
import { historyCategories } from '../vocabulary.ts';
import type { CallDefinition } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

export const historyCalls = {
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
