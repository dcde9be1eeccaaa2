import type { Readable } from 'node:stream';
import type { CallAnswer, CallBody, CallKey, CallParams, CallQuery, Calls } from '@keyturn/contract';

/** The client whose token came with the request. */
export interface SignedInClient {
  id: string;
  /** SHA-256 of the token: names the session without holding its secret. */
  sessionHash: Buffer;
}

/** One request to one call, parsed and checked: what a handler may rely on. */
export interface CallRequest<K extends CallKey> {
  params: CallParams<K>;
  query: CallQuery<K>;
  /** Undefined where the call takes none, or was sent none and may be. */
  body: Calls[K] extends { body: { optional: true } } ? CallBody<K> | undefined : CallBody<K>;
  idempotencyKey: string | undefined;
  client: Calls[K]['access'] extends 'client' ? SignedInClient : undefined;
  /** The caller's address, as the trusted proxies give it. */
  address: string;
}

/** What a call that answers a file gives, checked: a small one as it is, any other to be opened when it is sent. */
export interface FileAnswer {
  content: Buffer | StoredContent;
  mediaType: string;
  /** For the person who keeps it; any characters. */
  fileName: string;
}

export interface StoredContent {
  /** Bytes. */
  size: number;
  /** @param range its first and its last byte, from 0 */
  open(range: { start: number; end: number }): Readable;
}

type CallHandler<K extends CallKey> = (
  request: CallRequest<K>,
) => Promise<Calls[K] extends { file: readonly string[] } ? FileAnswer : CallAnswer<K>>;

/** What a feature's `routes.ts` hands out: a handler for each of its calls. */
export type CallHandlers<K extends CallKey = CallKey> = { [Key in K]: CallHandler<Key> };
