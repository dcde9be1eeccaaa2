import { type TObject, type TSchema, Type } from 'typebox';
import { Id } from '../entities/values.ts';
import type { ErrorCode } from '../errors.ts';

/**
 * One call of the client API. Its key in `calls` is `METHOD /path` below `/api`, with parameters in braces.
 * `access: 'client'` needs a sign-in: a bearer token, or a cookie with its CSRF token. `anyone` does not.
 */
export interface CallDefinition {
  summary: string;
  access: 'anyone' | 'client';
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  /** `optional`: the call also works without a body. */
  body?: { schema: TObject; optional: boolean };
  /** The `data` of the answer. Without it, the call answers 204 and no body. */
  data?: TSchema;
  meta?: TObject;
  /** Media types of a call that answers with a file instead of JSON. */
  file?: readonly string[];
  /** Works during general maintenance: needed to see when it ends, or to finish a payment in progress. */
  duringMaintenance?: true;
  /** Signs the client in: its `data` is an `AccessToken`, or a `CookieSession` for a request with `X-Session: cookie`. */
  startsSession?: true;
  /** Signs the client out. The answer makes the browser clear its cache. */
  endsSession?: true;
  /** Also unavailable while the case history is in maintenance. */
  area?: 'case-history';
  errors: readonly ErrorCode[];
}

/** The parameters of a call whose path contains `{id}`. */
export const IdParam = Type.Object({ id: Id });

/** An id in a body. A longer text is rejected before it reaches any code. */
export const IdInput = Type.String({ description: 'Opaque identifier', maxLength: 100 });
