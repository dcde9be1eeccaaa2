import { Type } from 'typebox';
import { body } from '../../calls/call-definition.ts';
import { Day, OneOf } from '../../entities/values.ts';
import { deskDefaults, type StaffCallDefinition } from '../staff-call-definition.ts';
import { FeedKey } from './integration-entities.ts';
import { admins, confirmedChange, creation, many, Name, reading, rotation } from './integration-policies.ts';
import { feedScopes } from './integration-vocabulary.ts';

/** The calls with which admins manage the keys of the case feed. */
export const feedKeyCalls = {
  'GET /staff/feed-keys': {
    summary: 'List the keys of the case feed, including those that no longer work',
    ...deskDefaults,
    access: admins,
    data: Type.Array(FeedKey),
    errors: reading,
  },
  'POST /staff/feed-keys': {
    summary: 'Create a key of the case feed; its secret is shown once',
    ...creation,
    body: body({
      name: Name,
      scopes: Type.Array(OneOf(feedScopes), { ...many, maxItems: feedScopes.length }),
      /** The first day, in UTC, on which it no longer works. */
      expires_on: Type.Optional(Day),
    }),
  },
  'POST /staff/feed-keys/{id}/rotate': {
    summary: 'Replace the secret of a key; the previous one still works during the overlap',
    ...rotation,
  },
  'POST /staff/feed-keys/{id}/revoke': {
    summary: 'Revoke a key at once, with all its secrets',
    ...confirmedChange,
  },
} as const satisfies Record<string, StaffCallDefinition>;
