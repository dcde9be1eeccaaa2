import { type FeedList, feedFormat, feedRecords } from '@keyturn/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import type { ImportDependencies } from './batches/batch-context.ts';
import { inUseReason } from './batches/write-changes.ts';
import { type ImportRequest, importFeed, type RejectedRecord } from './import-feed.ts';
import type { FeedCaller } from './ports.ts';
import { checkFrame, FeedBusy, FeedError } from './read-feed.ts';
import { createSendQueue } from './send-queue.ts';

export interface FeedRouteDependencies extends ImportDependencies {
  /** Finds the caller of a key’s secret; null if it is invalid. */
  authenticateKey(secret: string): Promise<FeedCaller | null>;
  /** Counts a request of a key. @throws DomainError `too_many_requests` */
  countRequest(keyId: string): Promise<void>;
}

/** In bytes: the records of a request are in memory together. */
const maxBatchBytes = 1024 * 1024;
/** Checked before any record is, because the server answers no other request while it checks them. */
const maxBatchRecords = 2_000;
const queueLimits = { maxWaiting: 30, maxWait: 10_000 };

/**
 * Registers the case feed over HTTP, below `/feed`. Its callers have keys and are never clients. Records are
 * stored as by `keyturn import`.
 */
export function feedRoutes(dependencies: FeedRouteDependencies) {
  return async (api: FastifyInstance): Promise<void> => {
    const schema = { hide: true } as object;
    const callers = new WeakMap<FastifyRequest, FeedCaller>();
    const queue = createSendQueue(queueLimits);
    const sendInTurn = ({ raw }: FastifyReply, feed: unknown, request: ImportRequest) =>
      queue({ hasLeft: () => raw.destroyed }, () => send(dependencies, feed, request));
    /** Checks the key before the body is read. */
    const onRequest = async (request: FastifyRequest) => {
      callers.set(request, await admit(dependencies, request));
    };
    api.put<{ Params: { kind: string; reference: string } }>(
      '/feed/:kind/:reference',
      { schema, onRequest },
      async (request, reply) => {
        const { kind, reference } = request.params;
        if (!isOffered(kind)) throw new DomainError('not_found');
        const caller = callerOf(callers, request);
        requireScopes(caller, [kind]);
        const record = parseRecord(request.body, reference);
        if (kind === 'clients') refusePassword(record, 'password');
        const feed = { format: feedFormat, as_of: today(dependencies), [kind]: [record] };
        const { created, updated, rejected } = await sendInTurn(reply, feed, requestOf(request, caller));
        const [problem] = rejected;
        if (problem) throw errorOf(problem, `/${kind}/0`);
        reply.header('cache-control', 'no-store').code(created > 0 ? 201 : 200);
        return {
          data: { reference, result: created > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged' },
        };
      },
    );
    api.post('/feed/batches', { schema, onRequest, bodyLimit: maxBatchBytes }, async (request, reply) => {
      const caller = callerOf(callers, request);
      requireScopes(caller, listsOf(request.body));
      const counts = await sendInTurn(reply, request.body, requestOf(request, caller));
      reply.header('cache-control', 'no-store');
      return { data: counts };
    });
  };
}

async function admit(
  { authenticateKey, countRequest }: FeedRouteDependencies,
  { headers }: FastifyRequest,
): Promise<FeedCaller> {
  const [, secret = ''] = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? '') ?? [];
  const caller = await authenticateKey(secret);
  if (!caller) {
    throw new DomainError('unauthenticated', {
      message: 'The feed key is missing, unknown, revoked or expired.',
    });
  }
  await countRequest(caller.id);
  return caller;
}

function callerOf(callers: WeakMap<FastifyRequest, FeedCaller>, request: FastifyRequest): FeedCaller {
  const caller = callers.get(request);
  if (!caller) throw new Error('a feed request was not admitted');
  return caller;
}

/** Documents come with files, which only a feed on disk has. */
const isOffered = (kind: string): kind is Exclude<FeedList, 'documents'> =>
  Object.hasOwn(feedRecords, kind) && kind !== 'documents';

/** @throws DomainError `not_permitted` */
function requireScopes({ scopes }: FeedCaller, lists: readonly FeedList[]): void {
  const missing = lists.find((list) => !scopes.includes(`${list}:write`));
  if (missing === undefined) return;
  throw new DomainError('not_permitted', { message: `This feed key may not write ${missing}.` });
}

/** @returns the kinds of records in a batch @throws DomainError `invalid_input`, `payload_too_large` */
function listsOf(body: unknown): FeedList[] {
  try {
    const { firm, lists } = checkFrame(body);
    if (firm !== undefined) throw invalid('firm', 'cannot be sent over HTTP: import it with keyturn import');
    if (lists.documents.length > 0)
      throw invalid('documents', 'cannot be sent over HTTP: import them with keyturn import');
    const records = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
    if (records > maxBatchRecords) {
      throw new DomainError('payload_too_large', {
        message: `A batch may have up to ${maxBatchRecords} records, and this one has ${records}. Send it in parts.`,
      });
    }
    for (const [index, client] of lists.clients.entries())
      refusePassword(client, `clients.${index}.password`);
    return (Object.keys(lists) as FeedList[]).filter((list) => lists[list].length > 0);
  } catch (error) {
    throw error instanceof FeedError ? invalid('body', error.message) : error;
  }
}

/** A key that sets a password could sign in as a client. @throws DomainError `invalid_input` */
function refusePassword(client: unknown, field: string): void {
  if (typeof client === 'object' && client !== null && Object.hasOwn(client, 'password'))
    throw invalid(field, 'cannot be sent over HTTP: invite the client instead');
}

/** Reads the record of a request, whose reference is in the path. @throws DomainError `invalid_input` */
function parseRecord(body: unknown, reference: string): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('body', 'must be a JSON object');
  if (Object.hasOwn(body, 'reference') && (body as { reference: unknown }).reference !== reference)
    throw invalid('reference', 'must be the reference in the path, or be left out');
  return { ...body, reference };
}

const requestOf = ({ ip: address }: FastifyRequest, { id, name }: FeedCaller): ImportRequest => ({
  // No record that is sent here names a file.
  folder: '.',
  as: 'real',
  actor: { kind: 'feed_key', id, name },
  address,
});

/** @throws DomainError `feed_not_possible`, `unavailable` */
async function send(dependencies: FeedRouteDependencies, feed: unknown, request: ImportRequest) {
  try {
    return await importFeed(dependencies, { ...request, feed });
  } catch (error) {
    if (error instanceof FeedBusy) throw new DomainError('unavailable');
    throw error instanceof FeedError
      ? new DomainError('feed_not_possible', { message: error.message })
      : error;
  }
}

/** @param place the place of the record in its feed */
function errorOf({ place, reason }: RejectedRecord, record: string): DomainError {
  if (reason === inUseReason) return new DomainError('unavailable');
  return invalid(place.slice(record.length + 1).replaceAll('/', '.') || 'body', reason);
}

const invalid = (field: string, reason: string) =>
  new DomainError('invalid_input', { errors: { [field]: [reason] } });

const today = ({ clock }: ImportDependencies) => clock().toISOString().slice(0, 10);
