import { hash } from 'node:crypto';
import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { Connection } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import { withDeskChoices } from '../../documents/desk-signing.ts';
import { findKnown, findStoredPositions, type Known } from '../../records/find-known.ts';
import type { RecordProblem } from '../../records/find-problem.ts';
import { isOrdered, type OrderedList, parentOfList } from '../../records/record-definitions.ts';
import { parentReferenceOf } from '../../records/references.ts';
import { RecordRejected } from '../../records/rejected-record.ts';
import type { ImportedFiles, PreparedFiles } from '../documents/prepare-documents.ts';
import { keyOfReference, type SentOrder } from '../sent-order.ts';
import { assignPositions } from './assign-positions.ts';
import type { Batch, BatchTarget, Outcome, SentChange, SentHashes } from './batch-context.ts';

/** Finds the records that are new or have changed since they were last imported. */
export async function findChanges(
  { dependencies, connection, files }: BatchTarget,
  batch: Batch,
  valid: ReadonlyMap<number, FeedRecord<FeedList>>,
  outcomes: Map<number, Outcome>,
  reject: (index: number, problem: RecordProblem) => void,
): Promise<SentChange[]> {
  const { list } = batch;
  const records = [...valid.values()];
  const known = await findKnown(
    connection,
    list,
    records.map(({ reference }) => reference),
  );
  const positions = isOrdered(list) ? await findPositions(connection, list, batch.order, records) : null;
  const documents =
    list === 'documents' ? await withDeskChoices(connection, records as FeedRecord<'documents'>[]) : null;
  const prepared = documents && (await prepareFiles(files, { sent: records, documents, known }));
  const sentAt = dependencies.clock();
  const changes: SentChange[] = [];
  for (const [index, record] of valid) {
    const file = prepared?.get(record.reference) ?? null;
    if (file instanceof RecordRejected) {
      reject(index, file.problem);
      continue;
    }
    const position = positions?.get(keyOfReference(record.reference)) ?? 0;
    const stored = known.get(record.reference);
    const content = contentOf(list, record, file?.sha256);
    const hashes = hashesOf(positions ? [position, content] : content);
    const change: SentChange = {
      index,
      record,
      id: stored?.id ?? newId(),
      isNew: stored === undefined,
      position,
      hashes,
      sent: { hash: hashes.current, sentAt },
      file,
      hasNoPassword: stored?.hasNoPassword === true,
      passwordHash: null,
    };
    if (isUnchanged(change, stored)) outcomes.set(index, { result: 'unchanged' });
    else changes.push(change);
  }
  return changes;
}

/** Whether the stored record is unchanged. A client without a password accepts one at any time. */
export const isUnchanged = ({ record, hashes }: SentChange, stored: Known | undefined): boolean =>
  isSame(stored, hashes) && !(passwordOf(record) !== undefined && stored?.hasNoPassword);

const isSame = (stored: Known | undefined, { current, former }: SentHashes): boolean =>
  stored?.hash?.equals(current) === true || stored?.hash?.equals(former()) === true;

export const passwordOf = (record: FeedRecord<FeedList>): string | undefined =>
  'password' in record ? record.password : undefined;

async function findPositions(
  connection: Connection,
  list: OrderedList,
  order: SentOrder | null,
  records: readonly FeedRecord<FeedList>[],
): Promise<Map<bigint, number>> {
  const parents = new Set(records.flatMap((record) => parentReferenceOf(list, record) ?? []));
  const known = await findKnown(connection, parentOfList[list].list, [...parents]);
  const sent = new Map<string, Set<bigint>>();
  for (const [reference, { id }] of known) sent.set(id, order?.membersOf(reference) ?? new Set());
  return assignPositions(sent, await findStoredPositions(connection, list, [...sent.keys()]));
}

/**
 * Prepares the files of documents; those whose record is unchanged were checked by an earlier import.
 * @param records.documents from `withDeskChoices`
 */
export function prepareFiles(
  files: ImportedFiles,
  records: {
    sent: readonly FeedRecord<FeedList>[];
    documents: readonly FeedRecord<'documents'>[];
    known: ReadonlyMap<string, Known>;
  },
): Promise<PreparedFiles> {
  const sent = new Map(records.sent.map((record) => [record.reference, record]));
  return files.prepare(records.documents, (document, sha256) => {
    const { reference } = document;
    const hashes = hashesOf(contentOf('documents', sent.get(reference) ?? document, sha256));
    return isSame(records.known.get(reference), hashes);
  });
}

/** Returns the parts of a record that count as changes: with the file's content, without the password. */
function contentOf(list: FeedList, record: FeedRecord<FeedList>, sha256: string | undefined): unknown {
  if (list === 'clients') {
    const { password: _password, ...rest } = record as FeedRecord<'clients'>;
    return rest;
  }
  return list === 'documents' ? [record, sha256] : record;
}

const hashesOf = (content: unknown): SentHashes => ({
  current: sha256Of(JSON.stringify(sortFields(content))),
  former: () => sha256Of(JSON.stringify(content)),
});

const sha256Of = (content: string) => hash('sha256', content, 'buffer');

/** Sorts fields, because their order must not matter: over HTTP, the reference need not be one of them. */
function sortFields(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sortFields);
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((key) => [key, sortFields(fields[key])]),
  );
}
