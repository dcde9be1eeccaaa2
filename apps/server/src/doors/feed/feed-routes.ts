import { type FeedCallDefinition, feedCalls } from '@keyturn/contract/feed';
import type { FastifyInstance } from 'fastify';
import { registerCalls } from '../../http/register-calls.ts';
import { batchRoutes } from './batches/batches-routes.ts';
import { stringify } from './feed-faults.ts';
import { kindOf, paramsOf, storedRecordOf } from './feed-paths.ts';
import { fileRoutes } from './files/files-routes.ts';
import { readChanges } from './read-changes.ts';
import { readRecord } from './read-record.ts';
import { payoutHandlers } from './record-payout-days.ts';
import {
  createRouteContext,
  type FeedHandlers,
  type FeedRouteDependencies,
  type RouteContext,
} from './route-context.ts';
import { createSendQueue } from './send-queue.ts';
import { parseRecord, sendRecord } from './send-records.ts';
import { withdrawRecord } from './withdraw-record.ts';

const queueLimits = { maxWaiting: 30, maxWait: 10_000 };

/**
 * Registers the calls of the case feed over HTTP. Their callers have keys and are never clients. Records are stored as by
 * `keyturn import`.
 */
export function feedRoutes(dependencies: FeedRouteDependencies) {
  return async (api: FastifyInstance): Promise<void> => {
    const context = createRouteContext(dependencies, createSendQueue(queueLimits));
    const calls: Record<string, FeedCallDefinition> = feedCalls;
    registerCalls(api, calls, recordHandlers(dependencies, context), { access: context.access });
    await api.register(batchRoutes(dependencies, context));
    await api.register(fileRoutes(dependencies, context));
    registerCalls(api, calls, payoutHandlers(dependencies, context), { access: context.access });
  };
}

const recordHandlers = (
  dependencies: FeedRouteDependencies,
  { senderOf, send }: RouteContext,
): FeedHandlers<
  | 'PUT /feed/{kind}/{reference}'
  | 'GET /feed/{kind}/{reference}'
  | 'DELETE /feed/{kind}/{reference}'
  | 'GET /feed/changes'
> => ({
  'PUT /feed/{kind}/{reference}': async (request, reply) => {
    const kind = kindOf(request);
    const { reference } = paramsOf(request);
    const record = parseRecord(kind, request.body, reference);
    return send(request, reply, stringify(request.body), async (sender) => {
      const result = await sendRecord(dependencies, sender, { kind, record });
      return { status: result === 'created' ? 201 : 200, body: { data: { reference, result } } };
    });
  },
  'GET /feed/{kind}/{reference}': async (request) => {
    const record = await readRecord(dependencies, senderOf(request), storedRecordOf(request));
    return { status: 200, body: { data: record } };
  },
  'DELETE /feed/{kind}/{reference}': async (request, reply) => {
    const subject = storedRecordOf(request);
    return send(request, reply, '', async (sender) => {
      const result = await withdrawRecord(dependencies, sender, subject);
      return { status: 200, body: { data: { reference: subject.reference, result } } };
    });
  },
  'GET /feed/changes': async (request) => ({
    status: 200,
    body: await readChanges(dependencies, senderOf(request), request.query as Record<string, unknown>),
  }),
});
