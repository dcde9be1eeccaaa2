import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import type { FeedScope } from '../../schema/tables/feed-key-tables.ts';
import { readBatch } from './batches/large-batches.ts';
import { type CallerDependencies, findCaller, requireScopes } from './feed-caller.ts';
import { type FeedAnswer, withIdempotencyKey } from './idempotency.ts';
import type { SendQueue } from './send-queue.ts';
import type { SendDependencies, Sender } from './send-records.ts';

export interface FeedRouteDependencies extends SendDependencies, CallerDependencies {
  /** The folder of batches that are being received or imported. */
  batchFolder: string;
  /** Receives errors that no caller waits for. */
  onError(error: unknown): void;
}

/** The parts of a request that all routes of the feed use. */
export interface FeedRequest {
  ip: string;
  method: string;
  url: string;
  headers: { authorization?: string | undefined; 'idempotency-key'?: string | string[] | undefined };
}

export interface FeedReply {
  raw: { destroyed: boolean };
  code(status: number): unknown;
  header(name: string, value: string): unknown;
}

/** The dependencies that the routes of the feed share. */
export interface RouteContext {
  /** The policy of each route, which is not part of the description of the clients’ API. */
  route: { schema: object; config: { policy: RequestPolicy } };
  /**
   * Creates a hook that checks the key before the body is read.
   * @param scopesOf returns the scopes that the request needs, if known
   */
  admitting<Request extends FeedRequest>(
    scopesOf: (request: Request) => FeedScope[],
  ): (request: Request) => Promise<void>;
  senderOf(request: FeedRequest): Sender;
  /**
   * Queues the request. A repetition of it gets the same answer.
   * @param content determines the effect of the request, together with method and path
   */
  send(
    request: FeedRequest,
    reply: FeedReply,
    content: string,
    work: (sender: Sender) => Promise<FeedAnswer>,
  ): Promise<object>;
}

export function createRouteContext(dependencies: FeedRouteDependencies, queue: SendQueue): RouteContext {
  const senders = new WeakMap<FeedRequest, Sender>();
  const senderOf = (request: FeedRequest): Sender => {
    const sender = senders.get(request);
    if (!sender) throw new Error('a feed request was not admitted');
    return sender;
  };
  return {
    route: { schema: { hide: true }, config: { policy: usualPolicy } },
    admitting: (scopesOf) => async (request) => {
      const caller = await findCaller(dependencies, request.headers.authorization);
      requireScopes(caller, scopesOf(request));
      senders.set(request, { caller, address: request.ip });
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
      const answer = await withIdempotencyKey(dependencies, idempotent, () =>
        queue({ hasLeft: () => reply.raw.destroyed }, () => work(sender)),
      );
      reply.header('cache-control', 'no-store');
      if (answer.location !== undefined) reply.header('location', answer.location);
      reply.code(answer.status);
      return answer.body;
    },
  };
}
