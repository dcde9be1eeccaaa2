import { createTestFiles, withFreshTestDatabase } from '@keyturn/testkit';
import { afterEach, expect, test } from 'vitest';
import { FileStoreUnavailable } from '../platform/stored-file.ts';
import { shareStore } from './share-store.ts';

const stored = withFreshTestDatabase();
const stores: { drop(): void }[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.drop();
});

/** Opens a store whose id can be read as long as it has no failure. */
function openStore(isAvailable = true) {
  const files = createTestFiles();
  stores.push(files);
  const state: { failure: Error | null } = { failure: null };
  const readId = async () => {
    if (state.failure) throw state.failure;
    return files.readId();
  };
  const store = {
    files: { ...files, readId },
    name: 'a bucket',
    isAvailable,
    warnings: ['an earlier warning'],
    close: () => {},
  };
  const alerts: unknown[] = [];
  const share = () =>
    shareStore(store, {
      database: stored.database,
      clock: () => new Date(),
      alertOperator: (...alert) => alerts.push(alert),
    });
  return { files, state, alerts, share };
}

test('a store that becomes unavailable after its check only causes a warning, and is checked before it is used', async () => {
  const { files, state, share } = openStore();
  state.failure = new FileStoreUnavailable('The document store does not answer in time');
  const shared = await share();
  expect(shared.warnings).toEqual([
    'an earlier warning',
    'The document store does not answer in time, so documents cannot be read or stored now',
  ]);
  await expect(shared.files.put(Buffer.from('a'))).rejects.toMatchObject({ code: 'unavailable' });
  state.failure = null;
  const sha256 = await shared.files.put(Buffer.from('a'));
  const { rows } = await stored.pool.query('select document_store_id as id from shared_resources');
  expect(rows).toEqual([{ id: await files.readId() }]);
  // Once it has been checked, it is not checked again.
  state.failure = new Error('unused');
  expect(await shared.files.has(sha256)).toBe(true);
});

test('a store that refuses the settings after its check ends the start', async () => {
  const { state, share } = openStore();
  state.failure = new FileStoreUnavailable('The document store refuses access', { isRefused: true });
  await expect(share()).rejects.toThrow('refuses access. The settings are KEYTURN_S3_….');
});

test('a store that was unavailable at the start and is another one is not used, and the operator is alerted once', async () => {
  await openStore().share();
  const other = openStore(false);
  const shared = await other.share();
  const sha256 = await other.files.put(Buffer.from('in the other store'));
  for (const use of [
    () => shared.files.put(Buffer.from('a')),
    () => shared.files.has(sha256),
    () => shared.files.read(sha256, 100),
    () => shared.files.measure(sha256, 100),
    () => shared.files.remove(sha256),
  ])
    await expect(use()).rejects.toMatchObject({ code: 'unavailable' });
  const left: string[] = [];
  for await (const file of other.files.list()) left.push(file);
  expect(left).toEqual([sha256]);
  const reason = expect.stringContaining('it has no id');
  expect(other.alerts).toEqual([['the document store is not used', { reason }]]);
});
