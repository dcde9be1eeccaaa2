import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommand, withFreshTestDatabase } from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type NewAuditEntry, recordAudit } from '../../platform/audit/record-audit.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { auditCommand, runAuditCommand } from './audit-command.ts';
import { verifyAudit } from './verify-audit.ts';

const stored = withFreshTestDatabase();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (overrides: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  occurredAt: new Date('2026-11-20T09:30:00.123Z'),
  actor: { kind: 'command_line', id: null, name: 'rhian' },
  action: 'maintenance.started',
  subject: { kind: 'maintenance', id: 'general' },
  ...overrides,
});
const record = (overrides?: Partial<NewAuditEntry>) => recordAudit(stored.database, entry(overrides));
const rows = async (sql: string, values: unknown[] = []) => (await stored.pool.query(sql, values)).rows;
/** Changes stored entries as the owner of the tables can, without triggers. */
async function tamper(sql: string) {
  const client = await stored.pool.connect();
  await client.query('begin');
  await client.query("set local session_replication_role = 'replica'");
  await client.query(sql);
  await client.query('commit');
  client.release();
}
async function run(...args: string[]) {
  const lines: string[] = [];
  const parsed = parseCommand(auditCommand, args);
  const dependencies = { database: stored.database, clock: () => new Date('2026-11-21T12:00:00Z') };
  return { code: await runAuditCommand(dependencies, parsed, (line) => lines.push(line)), lines };
}

describe('the audit log', () => {
  test('the audit log links entries of concurrent transactions in one order without gaps', async () => {
    const write = (index: number) =>
      runTransaction(stored.database, async (transaction) => {
        await recordAudit(transaction, entry({ subject: { kind: 'case', id: `${index}a` } }));
        await transaction.execute('select pg_sleep(0.01)');
        await recordAudit(transaction, entry({ subject: { kind: 'case', id: `${index}b` } }));
        if (index % 5 === 0) throw new Error('rolled back');
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => write(index)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(32);
    const links = await rows('select position::int from audit_links order by position');
    expect(links.map(({ position }) => position)).toEqual(links.map((_, index) => index + 1));
    expect(links).toHaveLength(64);
    expect(await verifyAudit(stored.database)).toMatchObject({ isIntact: true, head: { position: 64 } });
  });

  test.each([
    "update audit_entries set actor_name = 'someone else'",
    'delete from audit_entries',
    'truncate audit_entries cascade',
    'update audit_links set position = position + 10',
    'delete from audit_links',
    'truncate audit_links',
  ])('the audit log is append-only: the database rejects "%s"', async (sql) => {
    await record();
    await expect(stored.pool.query(sql)).rejects.toThrow('is append-only');
  });

  test('the verification names the first changed entry, for a change of any column', async () => {
    for (let count = 0; count < 3; count += 1) await record({ before: { b: 1, a: 'x' }, after: { n: null } });
    const [{ entry_id: id }] = await rows('select entry_id from audit_links where position = 2');
    const changes = {
      occurred_at: "occurred_at + interval '1 ms'",
      actor_kind: "'client'",
      actor_id: "'x'",
      actor_name: "'x'",
      action: "'maintenance.ended'",
      subject_kind: "'case'",
      subject_id: "'x'",
      address: "'203.0.113.1'",
      before: `'{"a":"x","b":2}'`,
      after: 'null',
    };
    await tamper('create table original as select * from audit_entries');
    for (const [column, value] of Object.entries(changes)) {
      await tamper(`update audit_entries set ${column} = ${value} where id in
        (select entry_id from audit_links where position >= 2)`);
      expect(await verifyAudit(stored.database), column).toEqual({
        isIntact: false,
        problem: `entry 2 (${id}) was changed after it was written`,
      });
      await tamper(`update audit_entries e set ${column} = o.${column} from original o where o.id = e.id`);
      expect(await verifyAudit(stored.database), column).toMatchObject({ isIntact: true });
    }
  });

  test('the verification detects entries that were removed, replaced with a valid hash, or added without a link', async () => {
    for (let count = 0; count < 4; count += 1) await record({ subject: { kind: 'case', id: `${count}` } });
    const { lines } = await run('verify');
    const head = lines[0]?.split(' ').at(-1) as string;
    expect(head).toMatch(/^4:[\da-f]{64}$/);
    expect(await run('verify', '--expect', head)).toMatchObject({ code: 0 });
    const problem = async (...args: string[]) => (await run('verify', ...args)).lines[0];

    await tamper('create table links as select * from audit_links');
    await tamper('delete from audit_links where position = 4');
    expect(await problem()).toContain('is not part of the chain');
    await tamper('delete from audit_entries where id not in (select entry_id from audit_links)');
    expect(await problem()).toContain('is intact up to 3:');
    expect(await problem('--expect', head)).toContain('the log ends at entry 3, before entry 4');
    await record();
    expect(await problem()).toContain('is intact up to 4:');
    expect(await problem('--expect', head)).toContain('is not the recorded one');

    await tamper('update audit_entries set content_hash = (select content_hash from audit_entries limit 1)');
    expect(await problem()).toContain('was changed after it was written');
  });

  test('the verification detects swapped entries and a missing entry between others', async () => {
    for (let count = 0; count < 3; count += 1) await record({ subject: { kind: 'case', id: `${count}` } });
    await tamper('update audit_links set position = position + 10');
    await tamper('update audit_links set position = case position when 12 then 3 when 13 then 2 else 1 end');
    expect((await run('verify')).lines[0]).toMatch(/entry 2 \(.+\) does not follow the entry before it/);
    await tamper('delete from audit_links where position = 2');
    expect(await run('verify')).toEqual({
      code: 1,
      lines: ['The audit log is not intact: entry 2 is missing.'],
    });
  });

  test('the audit log can be verified without Keyturn: the hashes follow from the documented form', async () => {
    await record({ before: { b: 1, a: 'é' }, address: '203.0.113.9' });
    const [row] = await rows(
      'select id, content_hash, hash from audit_entries join audit_links on entry_id = id',
    );
    const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest();
    const canonical = `["keyturn-audit-entry/1","${row.id}","2026-11-20T09:30:00.123Z",["command_line",null,"rhian"],"maintenance.started",["maintenance","general"],"203.0.113.9",[["a","é"],["b",1]],null]`;
    expect(row.content_hash).toEqual(sha256(canonical));
    expect(row.hash).toEqual(sha256(Buffer.concat([Buffer.alloc(32), row.content_hash])));
  });
});

describe('keyturn audit', () => {
  test('keyturn audit lists entries newest first, filtered and in pages', async () => {
    const client = { kind: 'client', id: 'c-1', name: 'Amelia Okafor' } as const;
    for (let count = 1; count <= 5; count += 1) {
      await record({
        occurredAt: new Date(`2026-11-0${count}T12:00:00Z`),
        ...(count % 2
          ? {}
          : { actor: client, action: 'document.signed', subject: { kind: 'document', id: 'd' } }),
      });
    }
    const positions = async (...args: string[]) =>
      (await run('list', ...args)).lines.map((line) => line.split('  ')[0]);
    expect(await positions('--limit', '2')).toEqual(['5', '4', 'Older entries: add --before 4']);
    expect(await positions('--limit', '3', '--before', '4')).toEqual(['3', '2', '1']);
    expect(await positions('--actor', 'Amelia Okafor')).toEqual(['4', '2']);
    expect(await positions('--actor', 'c-1', '--since', '2026-11-03')).toEqual(['4']);
    expect(await positions('--until', '2026-11-02')).toEqual(['1']);
    expect(await positions('--action', 'document.signed', '--subject', 'd')).toEqual(['4', '2']);
    expect(await positions('--subject', 'nothing')).toEqual(['No entries found.']);
    expect((await run('list', '--until', '2026-11-02')).lines).toEqual([
      '1  2026-11-01T12:00:00.000Z  maintenance.started  maintenance general  by command_line "rhian"',
    ]);
  });

  test('keyturn audit exports every entry once and in order, more than are read at a time', async () => {
    // Entries are read 1,000 at a time.
    await runTransaction(stored.database, async (transaction) => {
      for (let count = 0; count < 2_001; count += 1) await recordAudit(transaction, entry());
    });
    const file = join(folder, 'audit.csv');
    await run('export', file);
    const positions = readFileSync(file, 'utf8')
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
    expect(positions).toEqual(Array.from({ length: 2_002 }, (_, index) => index + 1));
  });

  test('keyturn audit exports a spreadsheet that runs no formula, and JSON lines, to new files only', async () => {
    await record({ actor: { kind: 'client', id: 'c', name: '=HYPERLINK("x")' }, before: { a: 1 } });
    const csv = join(folder, 'audit.csv');
    expect((await run('export', csv)).lines).toEqual([`2 entries written to ${csv}`]);
    const text = readFileSync(csv, 'utf8');
    expect(text.match(/\uFEFF/g)).toHaveLength(1);
    expect(text).toContain(`client,c,"'=HYPERLINK(""x"")",maintenance.started`);
    const jsonl = join(folder, 'audit.jsonl');
    await run('export', jsonl, '--format', 'jsonl');
    const lines = readFileSync(jsonl, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { position: 1, actor_name: '=HYPERLINK("x")', before: { a: 1 } },
      { action: 'audit.export_requested', actor_kind: 'command_line', after: { format: 'csv' } },
      { action: 'audit.export_requested', after: { format: 'jsonl' } },
    ]);
    await expect(run('export', csv)).rejects.toThrow(`${csv} exists already: choose another name.`);
    await expect(run('export', `${csv}/a.csv`)).rejects.toThrow(`The folder of ${csv}/a.csv does not exist.`);
    await expect(run('export', '/nowhere/a.csv')).rejects.toThrow(
      'The folder of /nowhere/a.csv does not exist.',
    );
  });
});
