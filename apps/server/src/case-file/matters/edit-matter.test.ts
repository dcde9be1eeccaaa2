import type { DeskMilestone } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { verifyAudit } from '../../records/audit/verify-audit.ts';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { readRecords } from '../records/read-records.ts';

const desk = withDeskCase();

const milestoneOf = async (browser: DeskMember, key = 'identity_checked') => {
  const found = await desk.readCase(browser);
  return found.matters[0]?.milestones.find((milestone) => milestone.key === key) as DeskMilestone;
};
const put = (browser: DeskMember, { id, version }: DeskMilestone, changes: object, more = {}) =>
  browser.call('PUT', `/milestones/${id}`, { version, changes, ...more });
const entriesOn = (reference: string) =>
  desk.rows(
    `select actor_kind, actor_id, action, address, before, after from audit_entries
     join audit_links on entry_id = id where subject_id = $1 and action like 'desk.%' order by position`,
    [reference],
  );

describe('editing a milestone at the desk', () => {
  test('a milestone edited at the desk is reached, sent to the clients, audited with the member, and undone', async () => {
    const browser = await desk.signIn();
    const before = await milestoneOf(browser);
    await desk.rows('delete from broadcast_events');
    const reached = await put(browser, before, { status: 'done', reached_on: '2026-11-23' });
    expect(reached).toMatchObject({
      status: 200,
      data: {
        milestone: { status: 'done', reached_on: '2026-11-23', next_update_by: null },
        undo: { changes: { status: 'current', reached_on: null, next_update_by: '2026-11-20' } },
      },
    });
    expect(await desk.rows("select event from broadcast_events where channel like 'private-case.%'")).toEqual(
      expect.arrayContaining([{ event: 'MilestoneReached' }]),
    );
    const { id } = before;
    const undone = await browser.call('PUT', `/milestones/${id}`, reached.data.undo);
    expect(undone.data.milestone).toEqual({ ...before, updated_at: expect.any(String) });
    expect(await entriesOn('M1')).toMatchObject([
      {
        actor_kind: 'staff',
        actor_id: browser.id,
        action: 'desk.record_changed',
        address: '203.0.113.7',
        before: {
          'milestones.identity_checked.status': 'current',
          'milestones.identity_checked.reached_on': null,
        },
        after: {
          'milestones.identity_checked.status': 'done',
          'milestones.identity_checked.reached_on': '2026-11-23',
          'milestones.identity_checked.next_update_by': null,
        },
      },
      { after: { 'milestones.identity_checked.status': 'current' } },
    ]);
    expect(await verifyAudit(desk.testDatabase.database)).toMatchObject({ isIntact: true });
  });

  test('undoing a reached milestone restores its stored state, even if it was not under way before', async () => {
    const browser = await desk.signIn();
    const before = await milestoneOf(browser, 'pre_completion');
    expect(before.status).toBe('upcoming');
    const reached = await put(browser, before, { status: 'done', reached_on: '2026-11-23' });
    const undone = await browser.call('PUT', `/milestones/${before.id}`, reached.data.undo);
    expect(undone.data.milestone).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test('the audit log has hashes instead of texts that can be personal', async () => {
    const browser = await desk.signIn();
    await put(browser, await milestoneOf(browser), { waiting_for: 'Zoë’s mother' });
    const [{ after }] = await entriesOn('M1');
    expect(after).toEqual({
      'milestones.identity_checked.waiting_for': expect.stringMatching(/^sha256:[0-9a-f]{16}$/),
    });
  });

  test('rejects the second of two members who edit the same milestone, and names the first', async () => {
    const [first, second] = [await desk.signIn('handler', 'Joel Adeyemi'), await desk.signIn('admin')];
    const read = await milestoneOf(second);
    expect((await put(first, read, { next_update_by: '2026-11-30' })).status).toBe(200);
    const refused = await put(second, read, { next_update_by: '2026-12-04' });
    expect(refused).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    expect(refused.body).toMatchObject({
      message:
        'Joel Adeyemi changed this at 9:00 am. Please check what it is now, and make your change again.',
      conflict: {
        changed_by: 'Joel Adeyemi',
        changed_at: '2026-11-23T09:00:00.000Z',
        current: { id: read.id, next_update_by: '2026-11-30' },
      },
    });
    const current = await milestoneOf(second);
    expect(current.next_update_by).toBe('2026-11-30');
    expect((await put(second, current, { next_update_by: '2026-12-04' })).status).toBe(200);
  });

  test('accepts concurrent edits of two milestones of a matter, and a repeated edit', async () => {
    const browser = await desk.signIn();
    const [identity, funds] = [await milestoneOf(browser), await milestoneOf(browser, 'funds_checked')];
    const edits = [
      put(browser, identity, { waiting_since: '2026-11-20' }),
      put(browser, funds, { status: 'current' }),
      put(browser, identity, { waiting_since: '2026-11-20' }),
    ];
    expect((await Promise.all(edits)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await milestoneOf(browser)).toMatchObject({ status: 'current', own_waiting_since: '2026-11-20' });
    expect(await milestoneOf(browser, 'funds_checked')).toMatchObject({ status: 'current' });
    expect(await entriesOn('M1')).toHaveLength(2);
  });

  test('rejects an edit after the firm’s system has changed the milestone', async () => {
    const browser = await desk.signIn();
    const read = await milestoneOf(browser);
    const [matter] = deskFeed.matters;
    desk.clock.advance(60_000);
    const milestones = [{ key: 'identity_checked', status: 'done', reached_on: '2026-11-22' }];
    await desk.importing({ ...deskFeed, matters: [{ ...matter, milestones }] });
    const refused = await put(browser, read, { waiting_for: 'Us' });
    expect(refused.body).toMatchObject({
      code: 'changed_meanwhile',
      conflict: {
        changed_by: 'The import of your case-management system',
        changed_at: '2026-11-23T09:01:00.000Z',
        current: { status: 'done', reached_on: '2026-11-22' },
      },
    });
  });

  test('rejects impossible states of a milestone, and bank details', async () => {
    const browser = await desk.signIn();
    const before = await milestoneOf(browser);
    const refusals: [object, string, string][] = [
      [{ status: 'done' }, 'reached_on', 'is needed'],
      [{ status: 'done', reached_on: '2026-11-24' }, 'reached_on', 'is in the future'],
      [{ reached_on: '2026-11-20' }, 'reached_on', 'is only for'],
      [{ next_update_by: '2026-11-22' }, 'next_update_by', 'is in the past'],
      [{ waiting_since: '2026-11-24' }, 'waiting_since', 'is in the future'],
      [{ expected_from: '2026-12-02', expected_to: '2026-12-01' }, 'expected_to', 'before the start'],
      [{ waiting_for: 'pay 20-00-00 12345678' }, 'waiting_for', 'bank details'],
    ];
    for (const [changes, field, reason] of refusals) {
      const refused = await put(browser, before, changes);
      expect(refused).toMatchObject({ status: 422, code: 'invalid_input' });
      expect(refused.body.errors[`changes.${field}`][0]).toContain(reason);
    }
    expect(await milestoneOf(browser)).toEqual(before);
  });

  test('stores nothing for a member whose session ends while the edit waits', async () => {
    const browser = await desk.signIn();
    const read = await milestoneOf(browser);
    const { database } = desk.testDatabase;
    const edit = await database.transaction(async (importing) => {
      await importing.execute('select from conveyancing_cases for no key update');
      const waiting = put(browser, read, { waiting_for: 'Us' });
      await untilBlocked(desk.testDatabase);
      await desk.rows('update staff_sessions set ended_at = now()');
      return { waiting };
    });
    expect((await edit.waiting).status).toBe(401);
    expect((await desk.rows("select waiting_for from milestones where key = 'identity_checked'"))[0]).toEqual(
      {
        waiting_for: null,
      },
    );
  });
});

describe('the desk and the firm’s system', () => {
  test('an unchanged feed keeps an edit, and a changed record overwrites it', async () => {
    const browser = await desk.signIn();
    await put(browser, await milestoneOf(browser), { waiting_for: 'The lender' });
    const [{ feed_hash: hash }] = await desk.rows('select feed_hash from matters');
    expect(await desk.importing(deskFeed)).toMatchObject({ created: 0, updated: 0, rejected: [] });
    expect(await milestoneOf(browser)).toMatchObject({ own_waiting_for: 'The lender' });
    expect((await desk.rows('select feed_hash from matters'))[0]).toEqual({ feed_hash: hash });
    desk.clock.advance(20 * 60_000);
    const [matter] = deskFeed.matters;
    const changed = { ...deskFeed, matters: [{ ...matter, target_exchange_on: '2026-12-11' }] };
    expect(await desk.importing(changed)).toMatchObject({ updated: 1, rejected: [] });
    expect(await milestoneOf(browser)).toMatchObject({ own_waiting_for: null });
    expect((await desk.readCase(browser)).matters[0]).toMatchObject({ sent_at: '2026-11-23T09:20:00.000Z' });
  });

  test('an edit that restores the feed’s version is stored', async () => {
    const browser = await desk.signIn();
    // As the desk reads it, so that the restored record has the stored hash.
    const { record } = (await readRecords(desk.testDatabase.database, 'matters', ['M1'])).get('M1') ?? {};
    const resent = { ...record, target_exchange_on: '2026-12-11' };
    await desk.importing({ ...deskFeed, matters: [resent] });
    await desk.importing({ ...deskFeed, matters: [record] });
    const changed = await put(browser, await milestoneOf(browser), { status: 'blocked' });
    const restored = await put(browser, changed.data.milestone, { status: 'current' });
    expect(restored.data.milestone.status).toBe('current');
  });

  test('the key dates of a matter can be changed and restored', async () => {
    const browser = await desk.signIn();
    const [matter] = (await desk.readCase(browser)).matters;
    const path = `/matters/${matter?.id}/dates`;
    const set = await browser.call('PUT', path, {
      version: matter?.version,
      changes: { target_exchange_on: '2026-12-11', completed_on: '2026-11-23' },
    });
    expect(set.data).toMatchObject({
      matter: { target_exchange_on: '2026-12-11', completed_on: '2026-11-23' },
      undo: { changes: { target_exchange_on: null, completed_on: null } },
    });
    const undone = await browser.call('PUT', path, set.data.undo);
    expect(undone.data.matter).toMatchObject({ target_exchange_on: null, completed_on: null });
    const future = { version: undone.data.matter.version, changes: { completed_on: '2026-11-24' } };
    expect((await browser.call('PUT', path, future)).body.errors).toEqual({
      'changes.completed_on': ['is in the future'],
    });
  });

  test('the feed cannot add a record with a reference of the desk', async () => {
    const reference = 'desk-6f1c7e0a-2d53-4e9b-9a53-0d8e2f6b7c11';
    const [entry] = deskFeed.history;
    const { rejected } = await desk.importing({ ...deskFeed, history: [{ ...entry, reference }] });
    expect(rejected).toMatchObject([
      { place: '/history/0/reference', reason: expect.stringContaining('desk-') },
    ]);
  });
});
