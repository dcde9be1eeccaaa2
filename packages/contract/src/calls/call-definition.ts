import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { Id } from '../entities/values.ts';
import type { ErrorCode } from '../errors.ts';
import type { RequestPolicy } from './call-policy.ts';

/**
 * One call of an API: of clients, of staff or of the case feed. Its key is `METHOD /path` below `/api`, with parameters in
 * braces. The server registers its route, and the browser makes its requests, from this definition.
 */
export interface CallDefinition<Access = 'anyone' | 'client', Code extends string = ErrorCode>
  extends RequestPolicy {
  summary: string;
  /**
   * The callers that may make the call. For clients: `client` needs the bearer token of a sign-in, and
   * `anyone` needs nothing.
   */
  access: Access;
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  /** `optional`: the call also works without a body. */
  body?: { schema: TObject; optional: boolean };
  /** The maximum size of the body, in bytes; 100 KB without it. */
  maxBytes?: number;
  /** The maximum size, in bytes, of a body that is a file, sent as `application/octet-stream`. */
  upload?: { maxBytes: number };
  /** The `data` of the answer. Without it, the call answers 204 and no body. */
  data?: TSchema;
  meta?: TObject;
  /** By status, for a call whose handler chooses the status and the whole body. They describe it, and do not limit it. */
  answers?: Readonly<Record<number, { description: string; schema: TSchema }>>;
  /** Media types of a call that answers with a file instead of JSON. */
  file?: readonly string[];
  /** Works during general maintenance: needed to see when it ends, or to finish a payment in progress. */
  duringMaintenance?: true;
  /** Signs the client in: its `data` is an `AccessToken`. */
  startsSession?: true;
  /** Signs the client out. The answer makes the browser clear its cache. */
  endsSession?: true;
  /** Also unavailable while the case history is in maintenance. */
  area?: 'case-history';
  errors: readonly Code[];
}

type Typed<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** The types of one call by its definition, for both the server and the browser; undefined for what it does not have. */
export type ParamsOf<Call> = Call extends { params: infer Schema } ? Typed<Schema> : undefined;
export type QueryOf<Call> = Call extends { query: infer Schema } ? Typed<Schema> : undefined;
export type BodyOf<Call> = Call extends { body: { schema: infer Schema } } ? Typed<Schema> : undefined;
export type DataOf<Call> = Call extends { data: infer Schema } ? Typed<Schema> : undefined;
/** The answer after unwrapping: the whole body if it has a `meta`, otherwise its `data`. */
export type AnswerOf<Call> = Call extends { meta: infer Schema }
  ? { data: DataOf<Call>; meta: Typed<Schema> }
  : DataOf<Call>;

/** A body with exactly these properties. */
export const body = <Properties extends TProperties>(properties: Properties) => ({
  schema: Type.Object(properties, { additionalProperties: false }),
  optional: false as const,
});

/** The parameters of a call whose path contains `{id}`. */
export const IdParam = Type.Object({ id: Id });

/** An id in a body. A longer text is rejected before it reaches any code. */
export const IdInput = Type.String({ description: 'Opaque identifier', maxLength: 100 });
