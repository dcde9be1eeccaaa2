import { describe, expect, test } from 'vitest';
import { readConveyancingCase } from '../../testing/read-conveyancing-case.ts';
import { deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();
const withLedger = (ledger?: object) => ({ ...deskFeed, matters: [{ ...deskFeed.matters[0], ledger }] });
const ledger = { client: 120_000, office: -4_500, on: '2026-11-10' };

describe('the balances of the firm’s ledger', () => {
  test('staff see the balances that the feed sent, until it sends the matter without them', async () => {
    const handler = await desk.signIn();
    const shown = async () => (await desk.readCase(handler)).matters[0]?.ledger;
    expect(await shown()).toBeNull();
    await desk.importing(withLedger(ledger));
    expect(await shown()).toEqual(ledger);
    const overdrawn = { client: -1, on: '2026-11-11' };
    await desk.importing(withLedger(overdrawn));
    expect(await shown()).toEqual(overdrawn);
    await desk.importing(withLedger());
    expect(await shown()).toBeNull();
  });

  test('an edit at the desk keeps the balances', async () => {
    await desk.importing(withLedger(ledger));
    const handler = await desk.signIn();
    const [matter] = (await desk.readCase(handler)).matters;
    await handler.call('PUT', `/matters/${matter?.id}/dates`, {
      version: matter?.version,
      changes: { target_completion_on: '2026-12-21' },
    });
    expect((await desk.readCase(handler)).matters[0]).toMatchObject({
      target_completion_on: '2026-12-21',
      ledger,
    });
  });

  test('clients neither get the balances nor an event when only they change', async () => {
    const broadcasts = async () =>
      (await desk.rows("select count(*)::int as events from broadcast_events where event = 'CaseUpdated'"))[0]
        ?.events;
    const before = await broadcasts();
    await desk.importing(withLedger(ledger));
    expect(await broadcasts()).toBe(before);
    const [ids] = await desk.rows('select case_id, client_id from case_clients');
    const found = await readConveyancingCase(desk.testDatabase.database, {
      caseId: ids.case_id,
      clientId: ids.client_id,
    });
    expect(found?.matters).toHaveLength(1);
    expect(JSON.stringify(found)).not.toMatch(/ledger|120000/);
  });

  test.each([
    ['a part of a penny', { ...ledger, client: 1.5 }, '/ledger/client'],
    ['no day', { client: 1 }, '/ledger/on'],
    ['a day in the future', { ...ledger, on: '2027-11-10' }, '/ledger/on'],
    ['a field that Keyturn does not know', { ...ledger, bank: 1 }, '/ledger/bank'],
  ])('balances with %s are rejected', async (_what, sent, place) => {
    const { rejected } = await desk.importing(withLedger(sent));
    expect(rejected).toEqual([expect.objectContaining({ place: `/matters/0${place}` })]);
  });
});
