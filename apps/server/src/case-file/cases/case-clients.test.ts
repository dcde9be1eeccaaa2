import { describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

const [zoe] = deskFeed.clients;
const [theCase] = deskFeed.cases;
/** A case of two clients, and a client without a case. */
const jointCase = {
  ...deskFeed,
  clients: [
    zoe,
    { reference: 'C2', first_name: 'Tom', last_name: 'Bell', email: 'tom.bell@example.test' },
    { reference: 'C3', first_name: 'Ada', last_name: 'Reed', email: 'ada.reed@example.test' },
  ],
  cases: [{ ...theCase, clients: ['C1', 'C2'] }],
};

const clientsOf = async (browser: DeskMember) =>
  (await desk.readCase(browser)).clients.map(({ reference }) => reference);

async function pathOf(reference: string): Promise<string> {
  const [found] = await desk.rows(
    `select c.id as case_id, clients.id as client_id from conveyancing_cases c, clients
     where c.reference = 'K1' and clients.reference = $1`,
    [reference],
  );
  return `/cases/${found.case_id}/clients/${found.client_id}`;
}

describe('the clients of a case at the desk', () => {
  test('a client is removed from a case and added again, each change once and audited with their reference', async () => {
    const browser = await desk.signIn();
    await desk.importing(jointCase);
    const tom = await pathOf('C2');
    for (let repeated = 0; repeated < 2; repeated += 1)
      expect((await browser.call('DELETE', tom)).status).toBe(204);
    expect(await clientsOf(browser)).toEqual(['C1']);
    for (let repeated = 0; repeated < 2; repeated += 1)
      expect((await browser.call('PUT', tom)).status).toBe(204);
    expect(await clientsOf(browser)).toEqual(['C1', 'C2']);
    expect(
      await desk.rows(
        "select actor_id, subject_id, before, after from audit_entries join audit_links on entry_id = id where action = 'desk.record_changed' order by position",
      ),
    ).toEqual([
      {
        actor_id: browser.id,
        subject_id: 'K1',
        before: { 'clients.C2': true },
        after: { 'clients.C2': null },
      },
      {
        actor_id: browser.id,
        subject_id: 'K1',
        before: { 'clients.C2': null },
        after: { 'clients.C2': true },
      },
    ]);
  });

  test('the last client of a case cannot be removed, also not by two members at the same time', async () => {
    const [first, second] = [await desk.signIn(), await desk.signIn('admin', 'Dana Price')];
    await desk.importing(jointCase);
    const answers = await Promise.all([
      first.call('DELETE', await pathOf('C1')),
      second.call('DELETE', await pathOf('C2')),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      code: 'edit_not_possible',
      message: expect.stringContaining('the only client of the case'),
    });
    expect(await clientsOf(first)).toHaveLength(1);
  });

  test('a client who was never on the case can be added, but no erased or unknown one', async () => {
    const browser = await desk.signIn();
    await desk.importing(jointCase);
    expect((await browser.call('PUT', await pathOf('C3'))).status).toBe(204);
    expect(await clientsOf(browser)).toEqual(['C1', 'C2', 'C3']);
    await browser.call('DELETE', await pathOf('C3'));
    await desk.rows("update clients set erased_at = now() where reference = 'C3'");
    expect(await browser.call('PUT', await pathOf('C3'))).toMatchObject({ status: 404, code: 'not_found' });
    const unknown = (await pathOf('C1')).replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000');
    expect(await browser.call('PUT', unknown)).toMatchObject({ status: 404 });
    expect(await browser.call('DELETE', unknown)).toMatchObject({ status: 404 });
  });

  test('only a member who has just confirmed who they are can add a client', async () => {
    const browser = await desk.signIn();
    await desk.importing(jointCase);
    desk.clock.advance(6 * 60_000);
    expect(await browser.call('PUT', await pathOf('C3'))).toMatchObject({
      status: 403,
      code: 'identity_not_confirmed',
    });
    expect(await clientsOf(browser)).toEqual(['C1', 'C2']);
    expect((await browser.call('DELETE', await pathOf('C2'))).status).toBe(204);
  });
});
