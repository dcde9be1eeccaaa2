import { buildCase, parseCommand, withTestDatabase } from '@keyturn/testkit';
import { expect, test, vi } from 'vitest';
import { holdCommand, runHoldCommand } from './hold-command.ts';

const testDatabase = withTestDatabase();

async function run(...args: string[]) {
  const lines: string[] = [];
  const dependencies = { database: testDatabase.database, clock: () => new Date('2026-11-23T12:00:00Z') };
  const code = await runHoldCommand(dependencies, parseCommand(holdCommand, args), (line) =>
    lines.push(line),
  );
  return { code, lines };
}

test('legal holds of cases and clients are placed once, listed, released once, and audited', async () => {
  const { database, pool } = testDatabase;
  await buildCase(database, {
    reference: 'K-1',
    clients: [{ reference: 'C-1', email: 'amelia@example.test' }],
  });
  expect(await run('list')).toEqual({ code: 0, lines: ['There are no legal holds.'] });
  const place = ['place', '--case', 'K-1', '--reason', 'a claim'];
  expect(await run(...place)).toEqual({ code: 0, lines: ['The case K-1 is under a legal hold.'] });
  expect(await run(...place)).toEqual({ code: 1, lines: ['The case K-1 is under a legal hold already.'] });
  expect(await run('place', '--client', 'Amelia@example.test', '--reason', 'an enquiry')).toMatchObject({
    code: 0,
  });
  const { lines } = await run('list');
  expect(lines).toEqual([
    expect.stringMatching(/^case K-1: a claim \(placed on .*23 November.* by /),
    expect.stringMatching(/^client C-1: an enquiry/),
  ]);
  expect(await run('release', '--case', 'K-1', '--reason', 'settled')).toMatchObject({ code: 0 });
  expect(
    (await pool.query('select release_reason from legal_holds where released_at is not null')).rows,
  ).toEqual([{ release_reason: 'settled' }]);
  expect(await run('release', '--case', 'K-1')).toMatchObject({ code: 1 });
  expect(await run(...place)).toMatchObject({ code: 0 });
  expect(await run('release', '--case', 'K-2')).toEqual({
    code: 1,
    lines: ['K-2: no case has this reference'],
  });
  const { rows } = await pool.query(
    'select action from audit_entries join audit_links on entry_id = id order by position',
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'case.hold_placed',
    'client.hold_placed',
    'case.hold_released',
    'case.hold_placed',
  ]);
});

test('a hold of a client waits for an erasure of one of their cases that is under way', async () => {
  const { database, pool } = testDatabase;
  const built = await buildCase(database, { clients: [{ email: 'priya@example.test' }] });
  const erasure = await pool.connect();
  try {
    await erasure.query('begin');
    await erasure.query('select from conveyancing_cases where id = $1 for update', [built.id]);
    const placing = run('place', '--client', 'priya@example.test', '--reason', 'an enquiry');
    placing.catch(() => {});
    await vi.waitFor(async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%conveyancing_cases%'`,
      );
      expect(rowCount).toBe(1);
    }, 20_000);
    await erasure.query('commit');
    expect(await placing).toMatchObject({ code: 0 });
  } finally {
    erasure.release(true);
  }
});

test('a legal hold needs a reason and one subject, and its record cannot be changed', async () => {
  for (const args of [
    ['place', '--case', 'K-1'],
    ['place', '--case', 'K-1', '--reason', ' '],
    ['place', '--reason', 'x'],
    ['release', '--case', 'K-1', '--client', 'a@example.test'],
  ])
    expect(() => parseCommand(holdCommand, args), args.join(' ')).toThrow();
  const { database, pool } = testDatabase;
  await buildCase(database, { reference: 'K-3' });
  await run('place', '--case', 'K-3', '--reason', 'a claim');
  for (const change of ["reason = 'x'", "placed_by = 'x'", 'subject_id = gen_random_uuid()'])
    await expect(pool.query(`update legal_holds set ${change}`)).rejects.toThrow('does not change');
});
