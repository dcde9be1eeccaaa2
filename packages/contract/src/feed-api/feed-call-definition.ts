import type { TSchema } from 'typebox';
import type { CallDefinition } from '../calls/call-definition.ts';
import { usualPolicy } from '../calls/call-policy.ts';

/**
 * The scope that the key of a call needs. `KIND` is the kind in the path; `KINDS:write` needs the scope of each kind in the
 * body, and `any-key` none.
 */
export type FeedAccess =
  | 'KIND:read'
  | 'KIND:write'
  | 'KINDS:write'
  | 'documents:write'
  | 'payouts:write'
  | 'changes:read'
  | 'any-key';

/**
 * One call of the case feed over HTTP. Firms’ programs make these calls, so each has a description; its handler checks the
 * input itself, with messages that name the record and the field.
 */
export interface FeedCallDefinition extends CallDefinition<FeedAccess> {
  /** The name of the operation in the description. */
  id: string;
  description: string;
  /** By media type. */
  bodies?: Readonly<Record<string, { schema: TSchema; description?: string }>>;
  /** In the query. */
  parameters?: Readonly<Record<string, { schema: TSchema; description: string }>>;
  acceptsIdempotencyKey?: true;
  answers: NonNullable<CallDefinition['answers']>;
}

/** The errors of every call of the feed. */
export const feedErrors = [
  'unauthenticated',
  'not_permitted',
  'not_found',
  'feed_not_possible',
  'payload_too_large',
  'unsupported_media_type',
  'malformed_json',
  'invalid_input',
  'too_many_requests',
  'unavailable',
] as const;

/** What calls of the feed have in common. */
export const feedDefaults = { ...usualPolicy, duringMaintenance: true, errors: feedErrors } as const;
