import { describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

async function change(browser: DeskMember, changes: object, version?: string) {
  const found = await desk.readCase(browser);
  return browser.call('PUT', `/cases/${found.id}/cancellation`, {
    version: version ?? found.version,
    changes,
  });
}
const cancellationOf = async (browser: DeskMember) => {
  const { cancellation, cancellation_ends_on, cancellation_notice_given } = await desk.readCase(browser);
  return [cancellation, cancellation_ends_on, cancellation_notice_given];
};
const ends = {
  cancellation: 'ends_on',
  cancellation_ends_on: '2026-12-03',
  cancellation_notice_given: true,
};

describe('the right to cancel at the desk', () => {
  test('the right to cancel is unknown until a member records its last day, which is audited and can be undone', async () => {
    const browser = await desk.signIn();
    expect(await cancellationOf(browser)).toEqual(['unknown', null, false]);
    const saved = await change(browser, ends);
    expect(saved.status).toBe(200);
    expect(await cancellationOf(browser)).toEqual(['ends_on', '2026-12-03', true]);
    expect(
      await desk.rows(
        `select actor_name, subject_kind, subject_id, after from audit_entries where action = 'desk.record_changed'`,
      ),
    ).toEqual([{ actor_name: 'Rhian Morgan', subject_kind: 'case', subject_id: 'K1', after: ends }]);
    const { id } = await desk.readCase(browser);
    await browser.call('PUT', `/cases/${id}/cancellation`, saved.data.undo);
    expect(await cancellationOf(browser)).toEqual(['unknown', null, false]);
  });

  test('a last day of the right to cancel is stored only with the confirmation that its notice was given', async () => {
    const browser = await desk.signIn();
    const { cancellation_notice_given: _notice, ...unconfirmed } = ends;
    const { cancellation_ends_on: _day, ...withoutDay } = ends;
    expect(await change(browser, unconfirmed)).toMatchObject({
      status: 422,
      body: {
        errors: { 'changes.cancellation_notice_given': [expect.stringContaining('choose “Not known”')] },
      },
    });
    expect(await change(browser, withoutDay)).toMatchObject({
      status: 422,
      body: { errors: { 'changes.cancellation_ends_on': [expect.any(String)] } },
    });
    expect(await cancellationOf(browser)).toEqual(['unknown', null, false]);
  });

  test('a case without a right to cancel keeps no last day', async () => {
    const browser = await desk.signIn();
    await change(browser, ends);
    await change(browser, { cancellation: 'none' });
    expect(await cancellationOf(browser)).toEqual(['none', null, false]);
  });

  test('a change of the right to cancel that is based on an old version is refused with the colleague’s', async () => {
    const browser = await desk.signIn();
    const { version } = await desk.readCase(browser);
    await change(browser, ends);
    expect(await change(browser, { cancellation: 'none' }, version)).toMatchObject({
      status: 409,
      code: 'changed_meanwhile',
    });
  });

  test('a feed with a last day of the right to cancel needs the confirmation that its notice was given', async () => {
    const [theCase] = deskFeed.cases;
    const { cancellation_notice_given: _notice, ...unconfirmed } = ends;
    const report = await desk.importing({ ...deskFeed, cases: [{ ...theCase, ...unconfirmed }] });
    expect(report.rejected).toMatchObject([{ place: '/cases/0/cancellation_notice_given' }]);
    expect(await desk.importing({ ...deskFeed, cases: [{ ...theCase, ...ends }] })).toMatchObject({
      updated: 1,
      rejected: [],
    });
  });

  test('a feed that does not know the right to cancel keeps what a member recorded', async () => {
    const browser = await desk.signIn();
    await change(browser, ends);
    const [theCase] = deskFeed.cases;
    await desk.importing({ ...deskFeed, cases: [{ ...theCase, title: 'Another title' }] });
    expect(await cancellationOf(browser)).toEqual(['ends_on', '2026-12-03', true]);
    await desk.importing({ ...deskFeed, cases: [{ ...theCase, cancellation: 'unknown' }] });
    expect(await cancellationOf(browser)).toEqual(['unknown', null, false]);
  });
});
