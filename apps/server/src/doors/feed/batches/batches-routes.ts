import type { Readable } from 'node:stream';
import { type FeedCallDefinition, feedCalls, maxBatchBytes } from '@keyturn/contract/feed';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerCalls } from '../../../http/register-calls.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FeedScope } from '../../../schema/tables/feed-key-tables.ts';
import { requireScopes } from '../feed-caller.ts';
import { stringify } from '../feed-faults.ts';
import type { FeedHandlers, FeedRouteDependencies, RouteContext } from '../route-context.ts';
import { maxBatchRecords, scopesOfBatch, sendBatch } from '../send-records.ts';
import { createLargeBatches, readBatch } from './large-batches.ts';
import { sendSpooled } from './send-spooled.ts';
import { removeAbandonedBatches, type SpooledBatch, spoolBatch } from './spool-batch.ts';

/** The maximum number of batches on disk, for each server. */
const maxSpooled = 4;
/** Milliseconds. */
const cleanedEvery = 3_600_000;

/** Registers the routes for batches: JSON in memory, and lines of JSON through a folder. */
export function batchRoutes(dependencies: FeedRouteDependencies, context: RouteContext) {
  const { batchFolder, clock } = dependencies;
  const { access, senderOf, send } = context;
  return async (api: FastifyInstance): Promise<void> => {
    const large = createLargeBatches(dependencies);
    const clean = () => removeAbandonedBatches(batchFolder, clock(), large.has).catch(dependencies.onError);
    await clean();
    const cleaning = setInterval(() => void clean(), cleanedEvery).unref();
    api.addHook('onClose', async () => {
      clearInterval(cleaning);
      await large.stop();
    });
    api.addContentTypeParser('application/x-ndjson', (_request, body, done) => done(null, body));

    let onDisk = 0;
    /** Receives a batch, and removes it after `work` unless it is imported later. */
    const receive = async <Result>(body: Readable, work: (batch: SpooledBatch) => Promise<Result>) => {
      if (onDisk + large.waiting() >= maxSpooled) throw new DomainError('unavailable');
      onDisk += 1;
      try {
        const batch = await spoolBatch(batchFolder, body, clock().toISOString().slice(0, 10));
        try {
          return await work(batch);
        } finally {
          if (!large.has(batch.id)) await batch.remove();
        }
      } finally {
        onDisk -= 1;
      }
    };
    const handlers: FeedHandlers<'POST /feed/batches' | 'GET /feed/batches/{id}'> = {
      'POST /feed/batches': async (request, reply) => {
        const { caller } = senderOf(request);
        if (!isLines(request)) {
          requireScopes(caller, scopesOfBatch(request.body));
          return send(request, reply, stringify(request.body), async (sender) => ({
            status: 200,
            body: { data: await sendBatch(dependencies, sender, request.body) },
          }));
        }
        return receive(request.body as Readable, (batch) => {
          requireScopes(
            caller,
            batch.kinds.map((kind): FeedScope => `${kind}:write`),
          );
          return send(request, reply, batch.digest, async (sender) => {
            if (batch.records <= maxBatchRecords && batch.bytes <= maxBatchBytes)
              return { status: 200, body: { data: await sendSpooled(dependencies, sender, batch) } };
            await large.start(sender, batch);
            const data = { id: batch.id, state: 'waiting', records: batch.records };
            return { status: 202, body: { data }, location: `/api/feed/batches/${batch.id}` };
          });
        });
      },
      'GET /feed/batches/{id}': async (request) => {
        const { id } = request.params as { id: string };
        const data = await readBatch(dependencies, senderOf(request).caller.id, id);
        return { status: 200, body: { data } };
      },
    };
    registerCalls(api, feedCalls as Record<string, FeedCallDefinition>, handlers, { access });
  };
}

const isLines = ({ headers }: FastifyRequest) =>
  /^application\/x-ndjson\b/i.test(headers['content-type'] ?? '');
