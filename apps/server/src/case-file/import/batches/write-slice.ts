import type { FeedList, FeedRecord } from '@keyturn/contract';
import { RecordRejected } from '../../records/rejected-record.ts';
import { filesAtOnce, forEachOf } from '../documents/prepare-documents.ts';
import type { BatchTarget, ImportDependencies, SentChange, Settle } from './batch-context.ts';
import { passwordOf } from './find-changes.ts';
import { planDocuments, writeChanges } from './write-changes.ts';

/** Clients whose passwords are hashed before they are written together; a hash takes 20 ms. */
const passwordsInSlice = 100;

/** Passwords that are checked or hashed at the same time. Further ones would delay people, who wait in the same queue. */
const passwordsAtOnce = 3;

/** Divides the changes of a batch into those that are written together. */
export function slicesOf(list: FeedList, changes: SentChange[]): SentChange[][] {
  const hasPasswords = list === 'clients' && changes.some(({ record }) => passwordOf(record) !== undefined);
  const size = hasPasswords ? passwordsInSlice : Math.max(1, changes.length);
  return Array.from({ length: Math.ceil(changes.length / size) }, (_, index) =>
    changes.slice(index * size, (index + 1) * size),
  );
}

/** Does slow work before the transaction, and then writes the changes. */
export async function writeSlice(
  target: BatchTarget,
  list: FeedList,
  slice: readonly SentChange[],
  settle: Settle,
): Promise<void> {
  if (list === 'clients') {
    const { ready, error } = await hashPasswords(target.dependencies, slice, settle);
    await writeChanges(target, list, ready, settle);
    if (error) throw error.reason;
    return;
  }
  if (list === 'documents') {
    const files = slice.flatMap(({ file }) => file ?? []);
    await target.files.whileReserved(files, async () =>
      writeChanges(target, list, await storeFiles(target, slice, settle), settle),
    );
    return;
  }
  await writeChanges(target, list, slice, settle);
}

/** @returns the clients before the first whose password cannot be hashed, and its error */
async function hashPasswords(
  { checkPassword, hashPassword }: ImportDependencies,
  slice: readonly SentChange[],
  settle: Settle,
): Promise<{ ready: SentChange[]; error: PromiseRejectedResult | undefined }> {
  const hashOne = async (change: SentChange) => {
    const password = passwordOf(change.record);
    const isSet = password !== undefined && (change.isNew || change.hasNoPassword);
    const [problem] = isSet ? await checkPassword(password, personalOf(change.record)) : [];
    if (problem !== undefined) {
      settle(change.index, { place: '/password', reason: problem });
      return null;
    }
    return isSet ? { ...change, passwordHash: await hashPassword(password) } : change;
  };
  const hashed: PromiseSettledResult<SentChange | null>[] = [];
  await forEachOf([...slice.entries()], passwordsAtOnce, async ([position, change]) => {
    const [result] = await Promise.allSettled([hashOne(change)]);
    hashed[position] = result;
  });
  const failed = hashed.findIndex(({ status }) => status === 'rejected');
  const ready = (failed === -1 ? hashed : hashed.slice(0, failed)).flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.value] : [],
  );
  return { ready, error: hashed[failed] as PromiseRejectedResult | undefined };
}

/** Returns what others know about a client, which may not be the password. */
const personalOf = (record: FeedRecord<FeedList>) => {
  const { email, first_name, last_name, reference } = record as FeedRecord<'clients'>;
  return [email, `${first_name} ${last_name}`, reference];
};

/** Stores the files of the documents that can be written. @returns these documents */
async function storeFiles(
  target: BatchTarget,
  slice: readonly SentChange[],
  settle: Settle,
): Promise<SentChange[]> {
  const stored = new Set<number>();
  const planned = await planDocuments(target, slice, settle);
  await forEachOf(planned, filesAtOnce, async ({ index, record, file }) => {
    try {
      if (file) await target.files.store(record as FeedRecord<'documents'>, file);
      stored.add(index);
    } catch (error) {
      if (!(error instanceof RecordRejected)) throw error;
      settle(index, error.problem);
    }
  });
  return planned.filter(({ index }) => stored.has(index));
}
