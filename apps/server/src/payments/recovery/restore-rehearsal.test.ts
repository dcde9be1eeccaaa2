import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildClient,
  buildStoredDocument,
  createTestBackups,
  createTestDatabase,
  openTestDocuments,
  withBackup,
} from '@keyturn/testkit';
import { afterAll, expect, test } from 'vitest';
import { caseClients } from '../../schema/tables/tables.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';

const backups = createTestBackups();
afterAll(backups.drop);

/** The data directory of the servers that start from now on. */
let dataDirectory: string;
const world = withBackup(() => ({ KEYTURN_DATA_DIR: dataDirectory }));
const filesIn = (directory: string) => openTestDocuments(directory).files;

test('fault 74: rehearsal of a restore: payments made after the backup come back, the record agrees with the provider, and a client reads a document', {
  timeout: 120_000,
}, async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-rehearsal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  dataDirectory = join(folder, 'lost');
  const lost = await world.copyOf(world.yesterday);
  const files = filesIn(dataDirectory);
  const password = 'three brass hinges and a gate';
  const client = await buildClient(lost.database, { password });
  await lost.database.insert(caseClients).values({ caseId: world.cases.search.id, clientId: client.id });
  const { matterId } = world.cases.search;
  const document = await buildStoredDocument(lost.database, files, { matterId });

  const before = await world.start(lost);
  await world.pay(before, world.cases.search);
  const { name, takenAt } = await backups.backUp({ url: lost.url, files });
  await world.pay(before, world.cases.open);
  await world.pay(before, world.cases.untouched);
  const recorded = await paidSearches(lost);
  const failedAt = new Date();
  await world.stop(before);

  dataDirectory = join(folder, 'new');
  const place = await createTestDatabase();
  world.dropLater(place);
  await place.close();
  await backups.restore(name, { url: place.url, files: filesIn(dataDirectory) });
  const restored = await world.copyOf(place);
  const server = await world.start(restored);
  expect(await world.startSearch(server, world.cases.open)).toMatchObject({ code: 'payments_paused' });

  const { exitCode, lines, dependencies } = await world.command(restored, { dryRun: false });
  expect([exitCode, lines.at(-1)]).toEqual([0, 'Payments are accepted.']);
  expect(await paidSearches(restored)).toEqual(recorded);
  expect(await world.startSearch(server, world.cases.open)).toMatchObject({ code: 'already_paid' });
  const since = new Date(Date.now() - 3_600_000);
  expect((await checkPayments(dependencies, { since, recheckDelay: 0 })).discrepancies).toEqual([]);

  const signedIn = await server.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email: client.email, password },
  });
  expect(signedIn.statusCode).toBe(200);
  const content = await server.app.inject({
    url: `/api/documents/${document.id}/content`,
    headers: { authorization: `Bearer ${signedIn.json().data.access_token}` },
  });
  expect(content.statusCode).toBe(200);
  expect(content.rawPayload).toEqual(await files.read(document.sha256, document.size + 1));

  const seconds = (from: Date, until: Date) => ((until.getTime() - from.getTime()) / 1_000).toFixed(1);
  console.log(
    `rehearsal of a restore: payments lost 0 of ${recorded.length}; other data is as old as the backup (RPO ${seconds(takenAt, failedAt)} s here); back in service after ${seconds(failedAt, new Date())} s (RTO)`,
  );
});

const paidSearches = async ({ pool }: { pool: { query(text: string): Promise<{ rows: unknown[] }> } }) =>
  (
    await pool.query(
      `select id, amount, receipt_number, case_search_id, client_id, status from payments
       where paid_at is not null order by receipt_number`,
    )
  ).rows;
