import { type FeedList, feedFormat, feedRecords } from '@keyturn/contract';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import type { FeedCaller } from '../../case-file/import/ports.ts';
import { checkFrame, FeedError } from '../../case-file/import/read-feed.ts';
import { reasonsInFeed } from '../../case-file/records/rejected-record.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import type { FeedScope } from '../../schema/tables/feed-key-tables.ts';
import { type ImportRequest, importFeed } from '../import/import-feed.ts';
import { faultOf, faultOfFeedRecord } from './feed-faults.ts';
import { createSentFiles, type SentFileDependencies } from './files/sent-files.ts';

export interface SendDependencies extends ImportDependencies, SentFileDependencies {
  /** Whether a key may still be used. It cannot be revoked until the transaction ends. */
  isKeyUsable(transaction: Transaction, keyId: string): Promise<boolean>;
}

/** The caller of a request. */
export interface Sender {
  caller: FeedCaller;
  /** IP address. */
  address: string;
}

/** The limit is checked first, because checking the records blocks the server. */
export const maxBatchRecords = 2_000;

export const isKind = (kind: string): kind is FeedList => Object.hasOwn(feedRecords, kind);

/** The data about the sender that an import needs. */
export const importRequestOf = (
  dependencies: SendDependencies,
  { caller: { id, name }, address }: Sender,
): ImportRequest => ({
  folder: '.',
  files: createSentFiles(dependencies),
  as: 'real',
  actor: { kind: 'feed_key', id, name },
  address,
  mayWrite: (transaction) => dependencies.isKeyUsable(transaction, id),
});

/**
 * Stores one record.
 * @param request.expected the version of the stored row that the record was made from: a different stored version is
 *   not overwritten
 * @returns the outcome
 * @throws DomainError `invalid_input`, `feed_not_possible`, `unavailable`, `unauthenticated`
 */
export async function sendRecord(
  dependencies: SendDependencies,
  sender: Sender,
  {
    kind,
    record,
    expected,
    ...request
  }: { kind: FeedList; record: { reference: string }; expected?: string | undefined } & Pick<
    ImportRequest,
    'withdraws'
  >,
): Promise<'created' | 'updated' | 'unchanged'> {
  const feed = { format: feedFormat, as_of: today(dependencies), [kind]: [record] };
  const { created, updated, rejected } = await importFeed(dependencies, {
    ...importRequestOf(dependencies, sender),
    ...request,
    ...(expected === undefined ? {} : { expected: { [kind]: new Map([[record.reference, expected]]) } }),
    feed,
  }).catch((error) => {
    throw faultOf(error);
  });
  const [problem] = rejected;
  if (problem) throw faultOfFeedRecord(problem, `/${kind}/0`);
  return created > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged';
}

/** Stores the records of a case feed. @throws DomainError as `sendRecord` */
export async function sendBatch(dependencies: SendDependencies, sender: Sender, feed: unknown) {
  const request = { ...importRequestOf(dependencies, sender), feed };
  const { rejected, ...counts } = await importFeed(dependencies, request).catch((error) => {
    throw faultOf(error);
  });
  const reported = rejected.map((each) => ({
    place: each.place,
    reason: reasonsInFeed(each),
    reference: each.reference,
  }));
  return { ...counts, rejected: reported };
}

/**
 * Checks the structure of a batch.
 * @returns the scopes that its records need
 * @throws DomainError `invalid_input`, `payload_too_large`
 */
export function scopesOfBatch(body: unknown): FeedScope[] {
  try {
    const { firm, lists } = checkFrame(body);
    if (firm !== undefined)
      throw invalidInput('firm', 'cannot be sent over HTTP: import it with keyturn import');
    const records = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
    if (records > maxBatchRecords) {
      throw new DomainError('payload_too_large', {
        message: `A batch may have up to ${maxBatchRecords} records, and this one has ${records}. Send it in parts.`,
      });
    }
    for (const [index, client] of lists.clients.entries())
      refusePassword(client, `clients.${index}.password`);
    return (Object.keys(lists) as FeedList[])
      .filter((list) => lists[list].length > 0)
      .map((list): FeedScope => `${list}:write`);
  } catch (error) {
    throw error instanceof FeedError ? invalidInput('body', error.message) : error;
  }
}

/** Rejects passwords, because a key that sets one could sign in as the client. @throws DomainError `invalid_input` */
export function refusePassword(client: unknown, field: string): void {
  if (typeof client === 'object' && client !== null && Object.hasOwn(client, 'password'))
    throw invalidInput(field, 'cannot be sent over HTTP: invite the client instead');
}

/** Reads the record of a request. Its reference is in the path. @throws DomainError `invalid_input` */
export function parseRecord(kind: FeedList, body: unknown, reference: string): { reference: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidInput('body', 'must be a JSON object');
  if (Object.hasOwn(body, 'reference') && (body as { reference: unknown }).reference !== reference)
    throw invalidInput('reference', 'must be the reference in the path, or be left out');
  if (kind === 'clients') refusePassword(body, 'password');
  return { ...body, reference };
}

const today = ({ clock }: ImportDependencies) => clock().toISOString().slice(0, 10);
