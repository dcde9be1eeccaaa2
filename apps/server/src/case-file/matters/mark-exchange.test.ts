import type { DeskMatter } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

const mark = {
  exchanged_on: '2026-11-23',
  completion_on: '2026-12-18',
  deposit: { amount: 5_200_000, held_as: 'stakeholder' },
  authorised_by: 'Rhian Morgan',
  authorised_on: '2026-11-20',
};

async function readMatter(browser: DeskMember): Promise<DeskMatter> {
  const [matter] = (await desk.readCase(browser)).matters;
  if (!matter) throw new Error('the fixture has no matter');
  return matter;
}
const stepOf = ({ milestones }: DeskMatter) => milestones.find(({ key }) => key === 'exchanged');
const marking = ({ id, version }: DeskMatter, browser: DeskMember, change: object = {}) =>
  browser.call('POST', `/matters/${id}/exchange`, { version, ...mark, ...change });

test('marks the exchange with its day, completion date, deposit and authority at once, also when repeated', async () => {
  const browser = await desk.signIn();
  const before = await readMatter(browser);
  const answers = [await marking(before, browser), await marking(before, browser)];
  for (const { status, data } of answers) {
    expect(status).toBe(200);
    expect(data.matter).toMatchObject({
      exchanged_on: '2026-11-23',
      target_completion_on: '2026-12-18',
      exchange: { deposit: mark.deposit, authorised_by: 'Rhian Morgan', authorised_on: '2026-11-20' },
    });
    expect(stepOf(data.matter)).toMatchObject({ status: 'done', reached_on: '2026-11-23' });
  }
  const entries = await desk.rows(
    "select after from audit_entries where subject_id = 'M1' and action like 'desk.%'",
  );
  expect(entries).toHaveLength(1);
  expect(entries[0].after).toMatchObject({
    exchanged_on: '2026-11-23',
    target_completion_on: '2026-12-18',
    'exchange.authorised_by': expect.stringMatching(/^sha256:/),
    'exchange.deposit.amount': 5_200_000,
    'milestones.exchanged.status': 'done',
  });
});

test('names every error of an exchange that cannot be true', async () => {
  const browser = await desk.signIn();
  const refused = await marking(await readMatter(browser), browser, {
    exchanged_on: '2026-11-24',
    completion_on: '2026-11-20',
    authorised_on: '2026-11-25',
  });
  expect(refused.status).toBe(422);
  expect(Object.keys(refused.body.errors)).toEqual(['exchanged_on', 'completion_on', 'authorised_on']);
  expect(await readMatter(browser)).toMatchObject({ exchanged_on: null, exchange: null });
});

test('neither a step nor a key date can mark an exchange without its completion date, deposit and authority', async () => {
  const browser = await desk.signIn();
  const matter = await readMatter(browser);
  const step = stepOf(matter);
  const byStep = await browser.call('PUT', `/milestones/${step?.id}`, {
    version: step?.version,
    changes: { status: 'done', reached_on: '2026-11-23' },
  });
  expect(byStep).toMatchObject({ status: 409, code: 'edit_not_possible' });
  const byDate = await browser.call('PUT', `/matters/${matter.id}/dates`, {
    version: matter.version,
    changes: { exchanged_on: '2026-11-23' },
  });
  expect(byDate).toMatchObject({ status: 422, code: 'invalid_input' });
});

test('corrects what was entered about an exchange, without an update to the clients', async () => {
  const browser = await desk.signIn();
  const { data } = await marking(await readMatter(browser), browser);
  const corrected = await marking(data.matter, browser, { completion_on: '2026-12-21', deposit: null });
  expect(corrected.data.matter).toMatchObject({
    exchanged_on: '2026-11-23',
    target_completion_on: '2026-12-21',
    exchange: { authorised_by: 'Rhian Morgan', authorised_on: '2026-11-20' },
  });
  expect(corrected.data.matter.exchange).not.toHaveProperty('deposit');
  expect((await desk.readCase(browser)).history.filter(({ category }) => category === 'message')).toEqual([]);
});

test('completes an exchange that the firm’s system has marked without its details', async () => {
  const browser = await desk.signIn();
  await desk.rows("update milestones set status = 'done', reached_on = '2026-11-20' where key = 'exchanged'");
  const completed = await marking(await readMatter(browser), browser);
  expect(completed.data.matter).toMatchObject({
    exchanged_on: '2026-11-23',
    exchange: { deposit: mark.deposit },
  });
});

test.each(['on_hold', 'abandoned', 'completed'])(
  'marks no exchange of a matter that is %s',
  async (status) => {
    const browser = await desk.signIn();
    await desk.rows('update matters set status = $1', [status]);
    const refused = await marking(await readMatter(browser), browser);
    expect(refused).toMatchObject({ status: 409, code: 'edit_not_possible' });
  },
);

test('the details of an exchange stay while the firm’s system sends the same day without them', async () => {
  const browser = await desk.signIn();
  await marking(await readMatter(browser), browser);
  const sent = async (change: object) => {
    desk.clock.advance(60_000);
    const [matter] = deskFeed.matters;
    await desk.importing({ ...deskFeed, matters: [{ ...matter, ...change }] });
    return (await readMatter(browser)).exchange;
  };
  expect(await sent({ exchanged_on: '2026-11-23', target_exchange_on: '2026-11-20' })).toMatchObject({
    deposit: mark.deposit,
  });
  expect(await sent({ exchanged_on: '2026-11-22' })).toBeNull();
});

test('an exchange that is taken back needs a reason, and tells the clients once', async () => {
  const browser = await desk.signIn();
  const before = await readMatter(browser);
  const { data } = await marking(before, browser);
  const path = `/matters/${before.id}/exchange/undo`;
  const undo = {
    version: data.matter.version,
    update_id: '6f1c7e0a-2d53-4e9b-9a53-0d8e2f6b7c11',
    completion_on: '2027-01-08',
  };
  expect((await browser.call('POST', path, { ...undo, reason: ' ' })).body.errors).toHaveProperty('reason');
  const request = { ...undo, reason: 'The seller had not signed.' };
  for (const answer of [
    await browser.call('POST', path, request),
    await browser.call('POST', path, request),
  ]) {
    expect(answer.data.matter).toMatchObject({
      exchanged_on: null,
      exchange: null,
      target_completion_on: '2027-01-08',
    });
    expect(stepOf(answer.data.matter)).toMatchObject({ status: 'upcoming', reached_on: null });
  }
  const updates = (await desk.readCase(browser)).history.filter(({ category }) => category === 'message');
  expect(updates.map(({ summary }) => summary)).toEqual([
    'Contracts for your purchase were marked here as exchanged on Monday 23 November 2026. That was a mistake, and we’re sorry: they have not been exchanged. The seller had not signed.',
  ]);
});

test('an exchange is not taken back once the matter is completed', async () => {
  const browser = await desk.signIn();
  const { data } = await marking(await readMatter(browser), browser);
  await desk.rows("update matters set status = 'completed'");
  const { id, version } = await readMatter(browser);
  const refused = await browser.call('POST', `/matters/${id}/exchange/undo`, {
    version,
    update_id: '6f1c7e0a-2d53-4e9b-9a53-0d8e2f6b7c11',
    reason: 'A mistake.',
    completion_on: null,
  });
  expect(refused).toMatchObject({ status: 409, code: 'edit_not_possible' });
  expect((await readMatter(browser)).exchange).toEqual(data.matter.exchange);
});
