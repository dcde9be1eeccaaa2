import type { FeedAccess, FeedCallDefinition, FeedCallKey } from '@keyturn/contract/feed';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallAccess } from '../../http/register-calls.ts';
import type { FeedScope } from '../../schema/tables/feed-key-tables.ts';
import { readBatch } from './batches/large-batches.ts';
import { type CallerDependencies, findCaller, requireScopes, requireWriteScope } from './feed-caller.ts';
import { kindOf } from './feed-paths.ts';
import { type FeedAnswer, withIdempotencyKey } from './idempotency.ts';
import type { SendQueue } from './send-queue.ts';
import type { SendDependencies, Sender } from './send-records.ts';

export interface FeedRouteDependencies extends SendDependencies, CallerDependencies {
  /** The folder of batches that are being received or imported. */
  batchFolder: string;
  /** Receives errors that no caller waits for. */
  onError(error: unknown): void;
}

/** Answers an admitted request. */
type FeedHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FeedAnswer>;

/** The handlers of some calls of the feed. */
export type FeedHandlers<K extends FeedCallKey> = Record<K, FeedHandler>;

/** What the calls of the feed share. */
export interface RouteContext {
  /** Admits callers by their key, before the body is read. */
  access: CallAccess<FeedCallDefinition, FeedHandler>;
  senderOf(request: FastifyRequest): Sender;
  /**
   * Queues the request. A repetition of it gets the same answer.
   * @param content determines the effect of the request, together with method and path
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    content: string,
    work: (sender: Sender) => Promise<FeedAnswer>,
  ): Promise<FeedAnswer>;
}

export function createRouteContext(dependencies: FeedRouteDependencies, queue: SendQueue): RouteContext {
  const senders = new WeakMap<FastifyRequest, Sender>();
  const senderOf = (request: FastifyRequest): Sender => {
    const sender = senders.get(request);
    if (!sender) throw new Error('a feed request was not admitted');
    return sender;
  };
  return {
    access: {
      admit: async (request, _reply, call) => {
        const caller = await findCaller(dependencies, request.headers.authorization);
        if (call.access === 'KINDS:write') requireWriteScope(caller);
        else requireScopes(caller, scopesOf(call.access, request));
        senders.set(request, { caller, address: request.ip });
      },
      readmit: () => {},
      handle: (request, reply, _call, handler) => handler(request, reply),
      callerOf: (request) => senderOf(request).caller.id,
    },
    senderOf,
    send: async (request, reply, content, work) => {
      const sender = senderOf(request);
      const keyId = sender.caller.id;
      const idempotent = {
        keyId,
        idempotencyKey: request.headers['idempotency-key'],
        content: [request.method, request.url, content],
        hasFailed: async ({ status, body }: FeedAnswer) => {
          if (status !== 202) return false;
          const { data } = body as { data: { id: string } };
          return (await readBatch(dependencies, keyId, data.id)).state === 'failed';
        },
      };
      return withIdempotencyKey(dependencies, idempotent, () =>
        queue({ hasLeft: () => reply.raw.destroyed }, () => work(sender)),
      );
    },
  };
}

/** @throws DomainError `not_found` for an unknown kind */
function scopesOf(access: Exclude<FeedAccess, 'KINDS:write'>, request: FastifyRequest): FeedScope[] {
  if (access === 'any-key') return [];
  if (access === 'KIND:read') return [`${kindOf(request)}:read`];
  return [access === 'KIND:write' ? `${kindOf(request)}:write` : access];
}
