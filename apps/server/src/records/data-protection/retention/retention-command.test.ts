import { buildCase, buildClient, buildPayment, parseCommand, withFreshTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { eraseDue, findDue } from './erase-due.ts';
import { retentionHandler } from './erase-due-job.ts';
import { retentionCommand, runRetentionCommand } from './retention-command.ts';

const testDatabase = withFreshTestDatabase();
const rows = async (text: string, values: unknown[] = []) =>
  (await testDatabase.pool.query(text, values)).rows;
const now = new Date('2045-06-01T12:00:00Z');
const clock = () => now;

async function run(...args: string[]) {
  const lines: string[] = [];
  const { database } = testDatabase;
  const parsed = parseCommand(retentionCommand, args);
  const code = await runRetentionCommand({ database, clock }, parsed, (line) => lines.push(line));
  return { code, lines };
}

/** A closed case whose client has no other. */
async function closedCase(
  reference: string,
  { closed, kinds = ['purchase'] }: { closed: string; kinds?: ('purchase' | 'sale')[] },
) {
  const built = await buildCase(testDatabase.database, {
    reference,
    status: 'completed',
    clients: [{ reference: `C-${reference}`, createdAt: new Date('2045-05-01T00:00:00Z') }],
    matters: kinds.map((matterType) => ({ matterType, status: 'completed' as const })),
  });
  await rows('update conveyancing_cases set closed_at = $2 where id = $1', [built.id, closed]);
  return built;
}
const references = async () =>
  (await rows('select reference from conveyancing_cases order by 1')).map(({ reference }) => reference);

test('a closed case is kept for the longest period of its kinds and payments, and an open one for ever', async () => {
  await closedCase('sale', { closed: '2038-05-31T12:00:00Z', kinds: ['sale'] });
  await closedCase('young-sale', { closed: '2038-06-02T12:00:00Z', kinds: ['sale'] });
  await closedCase('both', { closed: '2038-05-31T12:00:00Z', kinds: ['sale', 'purchase'] });
  await closedCase('purchase', { closed: '2030-05-31T12:00:00Z' });
  const paid = await closedCase('paid', { closed: '2030-05-31T12:00:00Z' });
  await buildPayment(testDatabase.database, {
    caseId: paid.id,
    clientId: paid.clientId,
    status: 'succeeded',
    paidAt: new Date('2040-01-01T00:00:00Z'),
  });
  await buildCase(testDatabase.database, { reference: 'open' });
  const due = await findDue(testDatabase.database, now);
  expect(due.filter(({ kind }) => kind === 'case')).toMatchObject([
    { reference: 'purchase', deletes: false },
    { reference: 'sale', deletes: false },
  ]);
  await rows("update conveyancing_cases set status = 'active', closed_at = null where reference = 'sale'");
  expect((await findDue(testDatabase.database, now)).map(({ reference }) => reference)).not.toContain('sale');
});

test('nothing is erased until the firm turns it on, and a hold keeps what is due', async () => {
  await closedCase('K-1', { closed: '2030-01-01T00:00:00Z' });
  const held = await closedCase('K-2', { closed: '2030-02-01T00:00:00Z' });
  await closedCase('K-3', { closed: '2030-03-01T00:00:00Z' });
  await rows(
    `insert into legal_holds (subject_kind, subject_id, reason, placed_at, placed_by)
     values ('client', $1, 'a claim', now(), 'rhian')`,
    [held.clientId],
  );
  expect(await run('run')).toEqual({ code: 0, lines: ['0 erased, 0 kept'] });
  expect((await run('due')).lines).toContainEqual(
    expect.stringMatching(/^case K-1, due since .*: only listed, because its rule does not delete$/),
  );
  expect((await run('set', 'purchase', '--delete', 'on', '--months', '170')).lines).toContainEqual(
    expect.stringMatching(/^purchase: 170 months, deleted every night, set by /),
  );
  expect(
    await rows("select before, after from audit_entries where action = 'installation.retention_changed'"),
  ).toEqual([{ before: { months: 180, deletes: false }, after: { months: 170, deletes: true } }]);
  await retentionHandler({ database: testDatabase.database, clock, mayErase: async () => false }).work({});
  expect(await references()).toEqual(['K-1', 'K-2', 'K-3']);
  const { code, lines } = await run('run');
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('2 erased, 1 kept');
  expect(lines).toContainEqual(expect.stringContaining('Case K-2 is under a legal hold: a claim'));
  expect(await references()).toEqual(['K-2']);
  expect(await rows('select basis from erasures order by id')).toEqual([
    { basis: 'retention' },
    { basis: 'retention' },
  ]);
});

test('a run that is interrupted keeps what it has erased, and the next one continues', async () => {
  for (const index of [1, 2, 3]) await closedCase(`K-${index}`, { closed: `2030-0${index}-01T00:00:00Z` });
  await run('set', 'purchase', '--delete', 'on');
  let calls = 0;
  const stopping = () => {
    calls += 1;
    if (calls === 3) throw new Error('the server was killed');
    return now;
  };
  const by = { actor: { kind: 'system', id: null, name: 'Keyturn' } } as const;
  const { database } = testDatabase;
  await expect(eraseDue({ database, clock: stopping }, by)).rejects.toThrow('was killed');
  expect(await references()).toEqual(['K-2', 'K-3']);
  expect((await eraseDue({ database, clock }, by, 1)).erased).toMatchObject([{ reference: 'K-2' }]);
  expect((await eraseDue({ database, clock }, by)).erased).toMatchObject([{ reference: 'K-3' }]);
  expect(await references()).toEqual([]);
});

test('what is kept does not use up the limit of a run', async () => {
  await closedCase('listed', { closed: '2029-01-01T00:00:00Z' });
  const held = await closedCase('held', { closed: '2030-01-01T00:00:00Z', kinds: ['sale'] });
  await closedCase('later', { closed: '2030-02-01T00:00:00Z', kinds: ['sale'] });
  await rows(
    `insert into legal_holds (subject_kind, subject_id, reason, placed_at, placed_by)
     values ('case', $1, 'a claim', now(), 'rhian')`,
    [held.id],
  );
  await run('set', 'sale', '--delete', 'on');
  const by = { actor: { kind: 'system', id: null, name: 'Keyturn' } } as const;
  const { erased, kept } = await eraseDue({ database: testDatabase.database, clock }, by, 1);
  expect(erased).toMatchObject([{ reference: 'later' }]);
  expect(kept).toMatchObject([{ subject: { reference: 'held' } }]);
  expect(await references()).toEqual(['held', 'listed']);
});

test('what is not due any more when its turn comes is kept', async () => {
  const { database } = testDatabase;
  const then = new Date('2044-01-01T00:00:00Z');
  await closedCase('K-1', { closed: '2030-01-01T00:00:00Z' });
  await buildClient(database, { reference: 'old', createdAt: then, updatedAt: then });
  await run('set', 'clients_without_cases', '--delete', 'on');
  await run('set', 'purchase', '--delete', 'on');
  const by = { actor: { kind: 'system', id: null, name: 'Keyturn' } } as const;
  let calls = 0;
  const goingBack = () => {
    calls += 1;
    return calls === 1 ? now : new Date('2044-06-01T12:00:00Z');
  };
  const { erased, kept } = await eraseDue({ database, clock: goingBack }, by);
  expect(erased).toEqual([]);
  expect(kept).toMatchObject([
    { subject: { reference: 'K-1' }, reasons: ['It is not due any more'] },
    { subject: { reference: 'old' }, reasons: ['It is not due any more'] },
  ]);
});

test('an erasure that the database rejects does not keep the others', async () => {
  const refused = await closedCase('K-1', { closed: '2030-01-01T00:00:00Z' });
  await closedCase('K-2', { closed: '2030-02-01T00:00:00Z' });
  await rows(`create function refuse_first() returns trigger language plpgsql as $$
    begin
      if new.subject_id = '${refused.id}' then raise exception 'not this one' using errcode = 'restrict_violation'; end if;
      return new;
    end $$`);
  await rows(
    'create trigger refuse_first before insert on erasures for each row execute function refuse_first()',
  );
  await run('set', 'purchase', '--delete', 'on');
  const { code, lines } = await run('run');
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^KEPT: case K-1, .*not this one/));
  expect(await references()).toEqual(['K-1']);
  await rows('drop function refuse_first cascade');
});

test('a client without cases is due once the period of the rule has passed since their last activity', async () => {
  const { database } = testDatabase;
  const at = (day: string) => ({ createdAt: new Date(day), updatedAt: new Date(day) });
  await buildClient(database, { reference: 'old', ...at('2044-01-01T00:00:00Z') });
  await buildClient(database, { reference: 'new', ...at('2045-01-01T00:00:00Z') });
  await buildCase(database, { clients: [{ reference: 'with a case', ...at('2044-01-01T00:00:00Z') }] });
  await run('set', 'clients_without_cases', '--delete', 'on');
  expect((await run('run')).lines).toEqual([
    expect.stringMatching(/^Erased: client old, /),
    '1 erased, 0 kept',
  ]);
  expect((await rows('select reference from clients order by 1')).map(({ reference }) => reference)).toEqual([
    'new',
    'with a case',
  ]);
});

test('a client who is no longer on a case that they paid in is kept as long as the case', async () => {
  const built = await closedCase('K-1', { closed: '2044-01-01T00:00:00Z' });
  await buildPayment(testDatabase.database, {
    caseId: built.id,
    clientId: built.clientId,
    status: 'succeeded',
    paidAt: new Date('2044-01-01T00:00:00Z'),
  });
  await rows('delete from case_clients where client_id = $1', [built.clientId]);
  await rows("update clients set created_at = '2040-01-01', updated_at = '2040-01-01' where id = $1", [
    built.clientId,
  ]);
  expect(await findDue(testDatabase.database, now)).toEqual([]);
  await run('set', 'payments', '--months', '12');
  await run('set', 'purchase', '--months', '12', '--delete', 'on');
  await run('set', 'clients_without_cases', '--delete', 'on');
  expect((await run('run')).lines.at(-1)).toBe('1 erased, 0 kept');
  expect((await run('run')).lines).toContainEqual(expect.stringMatching(/^Erased: client C-K-1, /));
});

test('keyturn retention rejects an unknown kind, an invalid period and a rule that deletes payments alone', () => {
  for (const args of [
    ['set', 'mails', '--months', '3'],
    ['set', 'sale', '--months', '0'],
    ['set', 'sale', '--months', '1.5'],
    ['set', 'sale'],
    ['set', 'payments', '--delete', 'on'],
  ])
    expect(() => parseCommand(retentionCommand, args), args.join(' ')).toThrow();
});
