import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFreshTestDatabase } from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderArchive, createS3Archive } from '../../adapters/files/audit-archives.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { type FixtureS3, startFixtureS3 } from '../../testing/s3/fixture-s3.ts';
import type { AuditArchive } from './ports.ts';
import { watchAuditLog } from './watch-audit-log-job.ts';

const stored = withFreshTestDatabase();
let folder: string;
let alerts: Record<string, unknown>[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-archive-'));
  alerts = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = async (times: number) => {
  for (let count = 0; count < times; count += 1)
    await recordAudit(stored.database, {
      occurredAt: new Date('2026-11-20T09:30:00.123Z'),
      actor: { kind: 'command_line', id: null, name: 'rhian' },
      action: 'maintenance.started',
      subject: { kind: 'maintenance', id: 'general' },
    });
};
const watch = (archive: AuditArchive | null) =>
  watchAuditLog({
    database: stored.database,
    clock: () => new Date(),
    alertOperator: (message, details) => alerts.push({ message, ...details }),
    archive,
    maxEntries: 3,
  });
const completed = async () =>
  (await stored.pool.query('select operation, position::int from completed_operations order by operation'))
    .rows;
const positionsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).position);

describe('the nightly check of the audit log', () => {
  test('writes each verified entry of the audit log to the archive once, in parts that continue each other', async () => {
    await record(4);
    const archive = createFolderArchive(folder);
    await watch(archive);
    await record(1);
    await watch(archive);
    const parts = readdirSync(folder)
      .sort()
      .filter((name) => name !== 'keyturn-audit-archive');
    expect(parts).toEqual([
      expect.stringMatching(/^audit-000000001-000000003-[0-9a-f]{16}\.jsonl$/),
      expect.stringMatching(/^audit-000000004-000000004-/),
      expect.stringMatching(/^audit-000000005-000000006-/),
    ]);
    const contents = parts.map((part) => readFileSync(join(folder, part), 'utf8'));
    expect(contents.flatMap(positionsIn)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(JSON.parse(contents[2]?.split('\n')[0] ?? '')).toMatchObject({
      action: 'audit.archived',
      actor_kind: 'system',
      after: { to: 'folder', first: 1, last: 4 },
    });
    expect(await completed()).toEqual([
      { operation: 'audit_archive', position: 6 },
      { operation: 'audit_verification', position: 6 },
    ]);
    expect(alerts).toEqual([]);
  });

  test('archives nothing, with an alert, while the share of the archive is not mounted', async () => {
    await record(1);
    const share = join(folder, 'share');
    await watch(createFolderArchive(share));
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(share);
    await watch(createFolderArchive(share));
    renameSync(share, join(folder, 'unmounted'));
    mkdirSync(share);
    await watch(createFolderArchive(share));
    expect(readdirSync(share)).toEqual([]);
    expect(alerts).toMatchObject([
      {
        message: expect.stringContaining('could not be archived'),
        reason: expect.stringContaining('ENOENT'),
      },
      {
        message: expect.stringContaining('could not be archived'),
        reason: expect.stringContaining('ENOENT'),
      },
    ]);
    rmSync(share, { recursive: true });
    renameSync(join(folder, 'unmounted'), share);
    await watch(createFolderArchive(share));
    const positions = readdirSync(share)
      .sort()
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((part) => positionsIn(readFileSync(join(share, part), 'utf8')));
    expect(positions).toEqual([1, 2, 3, 4]);
    expect(alerts).toHaveLength(2);
  });

  test('alerts the operator if the audit log lost the entry up to which it was verified, and archives nothing', async () => {
    await record(3);
    await watch(null);
    const client = await stored.pool.connect();
    await client.query("set session_replication_role = 'replica'");
    await client.query('delete from audit_links where position = 3');
    await client.query('delete from audit_entries where id not in (select entry_id from audit_links)');
    await client.query("set session_replication_role = 'origin'");
    client.release();
    await watch(createFolderArchive(folder));
    expect(alerts).toEqual([
      {
        message: expect.stringContaining('the audit log is not intact'),
        problem: 'the log ends at entry 2, before entry 3',
      },
    ]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await completed()).toEqual([{ operation: 'audit_verification', position: 3 }]);
  });

  test('archives the audit log in a bucket, after an alert while the bucket was unavailable', async () => {
    await record(2);
    const s3: FixtureS3 = await startFixtureS3(['archive'], { checksSignatures: false });
    const bucket = (url: string) =>
      createS3Archive({
        bucket: 'archive',
        prefix: 'keyturn/',
        region: 'us-east-1',
        endpoint: url,
        credentials: s3.credentials,
        usesPathStyle: true,
      });
    try {
      await watch(bucket('http://127.0.0.1:1'));
      expect(alerts).toMatchObject([{ message: expect.stringContaining('could not be archived') }]);
      expect(await completed()).toEqual([{ operation: 'audit_verification', position: 2 }]);
      await watch(bucket(s3.url));
      const { rows } = await stored.pool.query(
        "select encode(hash, 'hex') as hash from audit_links where position = 3",
      );
      const key = `keyturn/audit-000000001-000000003-${rows[0].hash.slice(0, 16)}.jsonl`;
      expect(positionsIn((await s3.get('archive', key)).toString())).toEqual([1, 2, 3]);
    } finally {
      await s3.stop();
    }
  });
});
