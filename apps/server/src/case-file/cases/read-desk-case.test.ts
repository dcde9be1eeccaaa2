import { buildPayment } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

describe('reading a case at the desk', () => {
  test('shows staff of every role the whole case', async () => {
    for (const role of ['handler', 'finance', 'admin'] as const)
      expect(await desk.readCase(await desk.signIn(role))).toMatchObject({
        reference: 'K1',
        title: 'A case',
        status: 'active',
        handlers: [{ name: 'R' }],
        clients: [{ reference: 'C1', is_activated: false, invitation: null, open_sessions: 0 }],
        matters: [
          {
            reference: 'M1',
            is_from_desk: false,
            sent_at: '2026-11-23T09:00:00.000Z',
            property: { postcode: 'BA1 1AA' },
            milestones: expect.arrayContaining([
              expect.objectContaining({
                key: 'identity_checked',
                status: 'current',
                next_update_by: '2026-11-20',
                waiting_for: 'You',
                own_waiting_for: null,
                also_waiting: null,
                derived_waiting: { waiting_for: 'You', basis: 'usual', is_own_outdated: false },
              }),
            ]),
          },
        ],
        searches: [
          { reference: 'S1', status: 'awaiting_payment', price: { gross: 3916 }, payable: true, money: null },
        ],
        documents: [{ reference: 'D1', group: 'contract', reads: [], signatures: [], supersedes: null }],
        tasks: [{ reference: 'T1', kind: 'pay_search', status: 'open' }],
        bills: [],
        payments: [],
        history: [{ summary: 'Opened' }],
      });
  });

  test('shows a payment that is under way for a search, and who pays', async () => {
    const [ids] = await desk.rows(
      'select s.id as "caseSearchId", c.id as "clientId", k.id as "caseId" from case_searches s, clients c, conveyancing_cases k',
    );
    await buildPayment(desk.testDatabase.database, { ...ids, status: 'processing', amount: 3916 });
    const found = await desk.readCase(await desk.signIn());
    const client = { id: ids.clientId, name: "Zoë O'Brien-Łukasiewicz 李" };
    expect(found.searches[0]?.money).toMatchObject({
      status: 'processing',
      is_under_way: true,
      client,
      paid_at: null,
    });
    expect(found.payments).toMatchObject([{ amount: 3916, case_search_id: ids.caseSearchId, client }]);
  });

  test('shows the state of an invitation, sign-ins, reads and signatures', async () => {
    const [{ id: clientId }] = await desk.rows('select id from clients');
    await desk.rows(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       values (sha256('x'), $1, 'invitation', '2026-11-22T08:00:00Z', '2026-11-23T08:00:00Z')`,
      [clientId],
    );
    await desk.rows(
      `insert into sessions (token_hash, client_id, created_at, expires_at)
       values (sha256('y'), $1, '2026-11-22T10:00:00Z', '2026-11-24T10:00:00Z')`,
      [clientId],
    );
    await desk.rows(
      "insert into document_reads (document_id, client_id, read_at) select id, $1, '2026-11-22T11:00:00Z' from documents",
      [clientId],
    );
    const found = await desk.readCase(await desk.signIn());
    expect(found.clients).toMatchObject([
      {
        invitation: { state: 'expired', sent_at: '2026-11-22T08:00:00.000Z' },
        last_signed_in_at: '2026-11-22T10:00:00.000Z',
        open_sessions: 1,
      },
    ]);
    expect(found.documents[0]?.reads).toMatchObject([
      { client: { id: clientId }, read_at: '2026-11-22T11:00:00.000Z' },
    ]);
  });

  test('reading a case is audited once a day for each member', async () => {
    const [first, second] = [await desk.signIn(), await desk.signIn()];
    for (const browser of [first, first, second]) await desk.readCase(browser);
    const read = await desk.rows("select actor_id, subject_id from audit_entries where action = 'case.read'");
    expect(read).toHaveLength(2);
    for (const { id } of [first, second]) expect(read).toContainEqual({ actor_id: id, subject_id: 'K1' });
  });

  test('reading an unknown case, or an invalid id, answers 404', async () => {
    const browser = await desk.signIn();
    for (const id of ['00000000-0000-4000-8000-000000000000', 'K1'])
      expect(await browser.call('GET', `/cases/${id}`)).toMatchObject({ status: 404, code: 'not_found' });
  });
});
