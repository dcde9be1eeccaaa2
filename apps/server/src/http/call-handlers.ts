import type { Readable } from 'node:stream';
import type {
  CallAnswer,
  CallBody,
  CallDefinition,
  CallKey,
  CallParams,
  CallQuery,
  Calls,
} from '@keyturn/contract';
import type { ErrorCode } from '../platform/domain-error.ts';
import type { ClientRead } from '../platform/reads/client-read.ts';
import type { StoredContent } from '../platform/stored-file.ts';
import type { Cookie } from './cookies.ts';

/** The definition of a call of any API. */
export type AnyCall = CallDefinition<unknown, ErrorCode>;

/** The client identified by the request's token. */
export interface SignedInClient {
  id: string;
  /** SHA-256 of the token: identifies the session without revealing the token. */
  sessionHash: Buffer;
}

/** A parsed and validated request, as a handler receives it. */
export interface CallRequest<K extends CallKey> {
  params: CallParams<K>;
  query: CallQuery<K>;
  /** Undefined if the call has no body, or an optional one that was not sent. */
  body: Calls[K] extends { body: { optional: true } } ? CallBody<K> | undefined : CallBody<K>;
  idempotencyKey: string | undefined;
  client: Calls[K]['access'] extends 'client' ? SignedInClient : undefined;
  /** The client's IP address, as reported by the trusted proxies. */
  address: string;
  /** The browser’s description of itself; null without one. */
  userAgent: string | null;
  device: RequestDevice;
  /** The cookie that binds a sign-in with a passkey to the browser that started it. */
  challenge: Cookie;
  /** The token for a sign-in whose other half is a cookie; undefined for one that needs no cookie. */
  newToken: string | undefined;
  /** The origin of the dashboard that makes the request, such as `https://clients.example.com`. */
  origin: string;
  /** Names the caller for the log, if no token identifies the client. */
  about(subject: RequestSubject): void;
}

/** The browser that makes a request, recognised by a cookie. */
export interface RequestDevice {
  /** Null without the cookie. */
  token: string | null;
  /** Sets the cookie. @param lifetime seconds */
  remember(token: string, lifetime: number): void;
}

/** The caller of a request. An email address is logged only as a keyed hash. */
export interface RequestSubject {
  /** The client's id. */
  client?: string;
  /** The staff member's id. */
  staff?: string;
  email?: string;
}

/** A file to send: a small one in memory, a large one that is streamed, or one that is generated while it is sent. */
export interface FileAnswer {
  content: Buffer | StoredContent | Readable;
  mediaType: string;
  /** The suggested name when the file is saved; any characters. */
  fileName: string;
  /** Browsers show it in a separate tab, and save it only if asked. For PDFs and images. */
  isShown?: boolean;
}

type CallHandler<K extends CallKey> = (
  request: CallRequest<K>,
) => Promise<Calls[K] extends { file: readonly string[] } ? FileAnswer : CallAnswer<K>>;

/** A read-only call of a client. The statement that reads also finds the session. */
export interface ReadCall<K extends CallKey> {
  /** Chooses the read; throws a DomainError if nothing can match the input. */
  read(request: Pick<CallRequest<K>, 'params' | 'query'>): ClientRead<CallAnswer<K>>;
}

export type ReadCalls<K extends CallKey> = { [Key in K]: ReadCall<Key> };

/** Handlers of calls; each feature's `routes.ts` returns those for its own calls. */
export type CallHandlers<K extends CallKey = CallKey> = { [Key in K]: CallHandler<Key> };

/** How every call of the contract is answered. */
export type AnsweredCalls = { [Key in CallKey]: CallHandler<Key> | ReadCall<Key> };
