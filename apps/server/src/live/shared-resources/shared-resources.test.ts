import { setTimeout as pause } from 'node:timers/promises';
import {
  buildCase,
  buildStoredDocument,
  createTestFiles,
  parseCommand,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { type Adoptable, adoptCommand, runAdopt } from './adopt-command.ts';
import {
  checkDocumentStore,
  shareDocumentStore,
  shareStaffKey,
  whileRestoringStore,
} from './shared-resources.ts';

const stored = withFreshTestDatabase();
const stores: { drop(): void }[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.drop();
});

/** Creates a store in a separate folder, as a server with its own data directory does. */
function createStore() {
  const files = createTestFiles();
  stores.push(files);
  return { database: stored.database, files, storeName: '/data/documents' };
}

const newMatter = async () => (await buildCase(stored.database)).matterId;

async function adopt(
  resources: ReturnType<typeof createStore>,
  what: Adoptable,
  staffKey: string | null = null,
) {
  const lines: string[] = [];
  const code = await runAdopt(
    { ...resources, staffKey, clock: () => new Date() },
    parseCommand(adoptCommand, [what]),
    (line) => lines.push(line),
  );
  return { code, lines };
}

test('the first servers to start together give a slow document store one id, and later ones find it', async () => {
  const store = createStore();
  const writeId = async (id: string) => {
    await pause(300);
    await store.files.writeId(id);
  };
  const files = { ...store.files, writeId };
  const servers = [1, 2].map(() => connectDatabase({ url: stored.url, size: 1 }));
  try {
    await Promise.all(
      servers.map(async ({ database }) => {
        // The limits of a session, shortened for the test.
        await database.execute(sql`set lock_timeout = 100`);
        await database.execute(sql`set idle_in_transaction_session_timeout = 100`);
        await shareDocumentStore({ ...store, files, database });
      }),
    );
  } finally {
    await Promise.all(servers.map(({ close }) => close()));
  }
  await shareDocumentStore(store);
  const { rows } = await stored.pool.query('select document_store_id as id from shared_resources');
  expect(rows).toEqual([{ id: await store.files.readId() }]);
});

test('fault 94: a server or command with another document store than the first server is refused, and changes nothing', async () => {
  const first = createStore();
  await shareDocumentStore(first);
  const [empty, other] = [createStore(), createStore()];
  await other.files.writeId('0b9d7f8a-1c2d-4e3f-8a4b-5c6d7e8f9a0b');
  const id = await first.files.readId();
  for (const check of [shareDocumentStore, checkDocumentStore]) {
    await expect(check(empty)).rejects.toThrow(`it has no id, the database expects ${id}`);
    await expect(check(other)).rejects.toThrow(
      /its id is 0b9d7f8a-1c2d-4e3f-8a4b-5c6d7e8f9a0b, .*run "keyturn adopt document-store"/,
    );
  }
  expect(await empty.files.readId()).toBeNull();
  await shareDocumentStore(first);
});

test('a document store that was moved without its id gets the id again if it has the newest documents', async () => {
  const [before, moved] = [createStore(), createStore()];
  await shareDocumentStore(before);
  const content = Buffer.from('a document');
  await buildStoredDocument(stored.database, before.files, { matterId: await newMatter(), content });
  await expect(checkDocumentStore(moved)).rejects.toThrow('it contains 0 of the 1 newest documents');
  await moved.files.put(content);
  await checkDocumentStore(moved);
  expect(await moved.files.readId()).toBeNull();
  await shareDocumentStore(moved);
  expect(await moved.files.readId()).toBe(await before.files.readId());
});

test('the first start after an upgrade is refused with a document store that has none of the documents', async () => {
  const [right, wrong] = [createStore(), createStore()];
  await buildStoredDocument(stored.database, right.files, { matterId: await newMatter() });
  await expect(shareDocumentStore(wrong)).rejects.toThrow('it contains 0 of the 1 newest documents');
  await checkDocumentStore(wrong);
  await shareDocumentStore(right);
});

test('keyturn adopt document-store makes another store the expected one, and is audited', async () => {
  const [before, after] = [createStore(), createStore()];
  await shareDocumentStore(before);
  await buildStoredDocument(stored.database, before.files, { matterId: await newMatter() });
  const { code, lines } = await adopt(after, 'document-store');
  expect([code, lines.at(-1)]).toEqual([1, 'It contains 0 of the 1 newest documents of the database.']);
  await shareDocumentStore(after);
  await expect(shareDocumentStore(before)).rejects.toThrow('is not the one of this database');
  const { rows } = await stored.pool.query(
    `select before, after from audit_entries where action = 'installation.document_store_adopted'`,
  );
  const idOf = ({ files }: typeof before) => files.readId();
  expect(rows).toEqual([{ before: { store: await idOf(before) }, after: { store: await idOf(after) } }]);
});

test('restoring documents into an empty store makes it the expected one, and another store is refused', async () => {
  const [lost, empty, other] = [createStore(), createStore(), createStore()];
  await shareDocumentStore(lost);
  await whileRestoringStore(empty, async () => {});
  expect(await empty.files.readId()).toBe(await lost.files.readId());
  await other.files.writeId('0b9d7f8a-1c2d-4e3f-8a4b-5c6d7e8f9a0b');
  await expect(whileRestoringStore(other, async () => {})).rejects.toThrow('is not the one of this database');
});

test('fault 94: a server with another KEYTURN_STAFF_KEY than the first one is refused until it is adopted', async () => {
  const [key, other] = ['k'.repeat(40), 'l'.repeat(40)];
  const share = (staffKey: string | null, formerStaffKey: string | null = null) =>
    shareStaffKey(stored.database, { staffKey, formerStaffKey });
  await share(key);
  await share(key);
  await expect(share(other)).rejects.toThrow(
    'KEYTURN_STAFF_KEY is not the one on the servers that have used this database: set the same value.',
  );
  await expect(share(null)).rejects.toThrow('KEYTURN_STAFF_KEY is not set, but is');
  // While the key is changed, servers with the former one can start too.
  await share(other, key);
  await share(key);
  await expect(share(other, '')).rejects.toThrow('KEYTURN_FORMER_STAFF_KEY');
  expect((await adopt(createStore(), 'staff-key', other)).code).toBe(0);
  await share(other);
  await expect(share(key)).rejects.toThrow('keyturn adopt staff-key');
});
