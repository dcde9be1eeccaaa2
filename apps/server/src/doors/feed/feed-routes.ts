import { type FeedList, hasHiddenCharacter } from '@keyturn/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import type { FeedScope } from '../../schema/tables/feed-key-tables.ts';
import { batchRoutes } from './batches/batches-routes.ts';
import { stringify } from './feed-faults.ts';
import { fileRoutes } from './files/files-routes.ts';
import { readChanges } from './read-changes.ts';
import { readRecord } from './read-record.ts';
import { createRouteContext, type FeedRouteDependencies } from './route-context.ts';
import { createSendQueue } from './send-queue.ts';
import { isKind, parseRecord, sendRecord } from './send-records.ts';
import { withdrawRecord } from './withdraw-record.ts';

const queueLimits = { maxWaiting: 30, maxWait: 10_000 };

/**
 * Registers the case feed over HTTP, below `/feed`. Its callers have keys and are never clients. Records are
 * stored as by `keyturn import`.
 */
export function feedRoutes(dependencies: FeedRouteDependencies) {
  return async (api: FastifyInstance): Promise<void> => {
    const context = createRouteContext(dependencies, createSendQueue(queueLimits));
    const { route, admitting, senderOf, send } = context;
    const reading = { ...route, onRequest: admitting(scopeOf('read')) };
    const writing = { ...route, onRequest: admitting(scopeOf('write')) };

    api.get('/feed/:kind/:reference', reading, async (request, reply) => {
      const record = await readRecord(dependencies, senderOf(request), storedRecordOf(request));
      reply.header('cache-control', 'no-store');
      return { data: record };
    });
    api.put('/feed/:kind/:reference', writing, async (request, reply) => {
      const kind = kindOf(request);
      const { reference } = paramsOf(request);
      const record = parseRecord(kind, request.body, reference);
      return send(request, reply, stringify(request.body), async (sender) => {
        const result = await sendRecord(dependencies, sender, { kind, record });
        return { status: result === 'created' ? 201 : 200, body: { data: { reference, result } } };
      });
    });
    api.delete('/feed/:kind/:reference', writing, async (request, reply) => {
      const subject = storedRecordOf(request);
      return send(request, reply, '', async (sender) => {
        const result = await withdrawRecord(dependencies, sender, subject);
        return { status: 200, body: { data: { reference: subject.reference, result } } };
      });
    });
    const readingChanges = { ...route, onRequest: admitting(() => ['changes:read']) };
    api.get('/feed/changes', readingChanges, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return readChanges(dependencies, senderOf(request), request.query as Record<string, unknown>);
    });
    await api.register(batchRoutes(dependencies, context));
    await api.register(fileRoutes(dependencies, context));
  };
}

const paramsOf = ({ params }: FastifyRequest) => params as { kind: string; reference: string };

/** @throws DomainError `not_found` */
function kindOf(request: FastifyRequest): FeedList {
  const { kind } = paramsOf(request);
  if (!isKind(kind)) throw new DomainError('not_found');
  return kind;
}

const scopeOf =
  (access: 'read' | 'write') =>
  (request: FastifyRequest): FeedScope[] => [`${kindOf(request)}:${access}`];

/** @throws DomainError `not_found` for a reference that no record can have */
function storedRecordOf(request: FastifyRequest): { kind: FeedList; reference: string } {
  const { reference } = paramsOf(request);
  // PostgreSQL cannot compare some characters.
  if (hasHiddenCharacter(reference) || !reference.isWellFormed()) throw new DomainError('not_found');
  return { kind: kindOf(request), reference };
}
