import { paymentWordingFor, paymentWordings } from '@keyturn/contract';
import { buildCase, ownCard, withTestServer } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';

const server = withTestServer({ env: { KEYTURN_TRUSTED_PROXIES: '1' } });

async function openSearch() {
  const { clientIds, caseSearchId } = await buildCase(server.database, { clients: [{}, {}] });
  const [one = '', other = ''] = clientIds;
  const start = async (clientId: string, address: string, payload: object) =>
    server.app.inject({
      method: 'POST',
      url: `/api/case-searches/${caseSearchId}/payments`,
      headers: { ...(await server.signInAs(clientId)), 'x-forwarded-for': address },
      payload,
    });
  return { one, other, caseSearchId, start };
}
/** @param state.day the last day of the right to cancel, in days from today */
async function recordCancellation(
  caseSearchId: string,
  { cancellation, day }: { cancellation: string; day: number | null },
) {
  await server.pool.query(
    `update conveyancing_cases set cancellation = $2, cancellation_notice_given = $3::integer is not null,
       cancellation_ends_on = (now() at time zone 'Europe/London')::date + $3::integer
     where id = (select case_id from matters where id = (select matter_id from case_searches where id = $1))`,
    [caseSearchId, cancellation, day],
  );
  await server.pool.query(`update case_searches set refund_rule = 'Refund rule.' where id = $1`, [
    caseSearchId,
  ]);
}
const confirmed = {
  order_now: true,
  order_wording: '2026-12-unknown' as const,
  own_card: false,
  payer_name: "Grace O'Brien",
  receipt_email: 'grace@example.test',
  wording: paymentWordingFor(2, 'card'),
};
const recordOf = async (paymentId: string) =>
  (
    await server.pool.query(
      `select confirmed_by, confirmed_from, confirmed_wording, confirmed, recorded_at
       from payment_changes where payment_id = $1 and confirmed_by is not null order by id`,
      [paymentId],
    )
  ).rows;

describe('the record of consent', () => {
  test('records for each payment who confirmed what, when, from where and in which wording', async () => {
    const { one, other, start } = await openSearch();
    const started = await start(one, '203.0.113.9', confirmed);
    const { payment_id } = started.json().data;
    // Resuming the payment without confirming adds no record, for the client and for the joint client.
    await start(one, '203.0.113.10', {});
    await start(other, '198.51.100.3', ownCard);
    const record = await recordOf(payment_id);
    expect(record).toEqual([
      {
        confirmed_by: one,
        confirmed_from: '203.0.113.9',
        confirmed_wording: '2026-11',
        confirmed: {
          order_now: true,
          order_now_at: expect.any(String),
          own_card: false,
          payer_name: "Grace O'Brien",
          receipt_email: 'grace@example.test',
        },
        recorded_at: expect.any(Date),
      },
    ]);
  });

  test.each([
    [
      'the period runs and its notice was given',
      { cancellation: 'ends_on', day: 3 },
      '2026-12-before-end',
      /^Please order before my cancellation period ends on \w+ \d+ \w+ \d{4}\. If I cancel after that, I pay for what you have ordered\. Refund rule\.$/,
    ],
    [
      'the period has ended',
      { cancellation: 'ends_on', day: -1 },
      '2026-12-no-period',
      /^Order this search for me\. Refund rule\.$/,
    ],
    [
      'the period ends today',
      { cancellation: 'ends_on', day: 0 },
      '2026-12-before-end',
      /^Please order before my cancellation period ends on/,
    ],
    [
      'there is none',
      { cancellation: 'none', day: null },
      '2026-12-no-period',
      /^Order this search for me\. Refund rule\.$/,
    ],
    [
      'it is not known',
      { cancellation: 'unknown', day: null },
      '2026-12-unknown',
      /^Please order this search now, even if my cancellation period is still running\. This does not affect any right I have to cancel your services\. Refund rule\.$/,
    ],
  ] as const)(
    'stores the request to order in the words for a right to cancel of which %s',
    async (_title, state, wording, words) => {
      const { one, caseSearchId, start } = await openSearch();
      await recordCancellation(caseSearchId, state);
      const shown = await server.app.inject({
        url: `/api/case-searches/${caseSearchId}`,
        headers: await server.signInAs(one),
      });
      expect(shown.json().data.order_wording).toBe(wording);
      const { payment_id } = (
        await start(one, '203.0.113.9', { ...confirmed, order_wording: wording })
      ).json().data;
      const [stored] = (
        await server.pool.query(
          'select order_wording, order_words, confirmed_by, order_now_at, amount, case_search_id from payments where id = $1',
          [payment_id],
        )
      ).rows;
      expect(stored).toEqual({
        order_wording: wording,
        order_words: expect.stringMatching(words),
        confirmed_by: one,
        order_now_at: expect.any(Date),
        amount: expect.any(Number),
        case_search_id: caseSearchId,
      });
      await expect(
        server.pool.query(`update payments set order_words = 'Other words.' where id = $1`, [payment_id]),
      ).rejects.toThrow('does not change');
    },
  );

  test('refuses a request to order in words that are no longer true, and those of an earlier release', async () => {
    const { one, caseSearchId, start } = await openSearch();
    await recordCancellation(caseSearchId, { cancellation: 'ends_on', day: 3 });
    const { order_wording: _none, ...ofEarlierRelease } = confirmed;
    const withAnotherDay = {
      ...confirmed,
      order_wording: '2026-12-before-end',
      order_words: 'Please order before my cancellation period ends on another day. Refund rule.',
    };
    for (const body of [confirmed, ofEarlierRelease, withAnotherDay]) {
      const answer = await start(one, '203.0.113.9', body);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'wording_changed']);
      expect(answer.json().message).toContain('Please reload this page');
    }
    expect(
      (await server.pool.query('select from payments where case_search_id = $1', [caseSearchId])).rowCount,
    ).toBe(0);
  });

  test('allows no statement to change the record of consent', async () => {
    const { one, start } = await openSearch();
    const { payment_id } = (await start(one, '203.0.113.9', confirmed)).json().data;
    const before = await recordOf(payment_id);
    for (const statement of [
      `update payment_changes set confirmed_from = '10.0.0.1' where payment_id = '${payment_id}'`,
      `update payment_changes set confirmed = '{"own_card": true}' where payment_id = '${payment_id}'`,
      `update payment_changes set confirmed_wording = null`,
      `delete from payment_changes where payment_id = '${payment_id}'`,
      'truncate payment_changes',
      'truncate payment_changes cascade',
      `delete from payments where id = '${payment_id}'`,
    ]) {
      await expect(server.pool.query(statement), statement).rejects.toThrow();
    }
    expect(await recordOf(payment_id)).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test('rejects a confirmation in a wording that was never shown', async () => {
    const { one, start } = await openSearch();
    const answer = await start(one, '203.0.113.9', { ...confirmed, wording: '1999-01' });
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'invalid_input']);
  });

  test('keeps each wording exactly as it was shown', () => {
    const ownCard = {
      question: 'Is this your own card?',
      hint: 'We’re legally required to know where the money comes from.',
      no: 'No, someone else is paying',
    };
    const orderNow = {
      label: 'Please order now.',
      explanation:
        'I have 14 days to cancel, but I understand that a search already ordered can’t be refunded.',
    };
    const byBank = { question: 'Is this your own bank account?' };
    const protection =
      'You can’t reverse a payment by bank with a chargeback, as you sometimes can with a card. If we owe you a refund, we pay it back to the same account.';
    expect(paymentWordings).toEqual({
      '2026-11': {
        ownCard: { ...ownCard, yes: 'Yes, mine or one I share with the other owner' },
        orderNow,
      },
      '2026-11-sole-client': { ownCard: { ...ownCard, yes: 'Yes, it’s mine' }, orderNow },
      '2026-11-bank': {
        ownCard: { ...ownCard, ...byBank, yes: 'Yes, mine or one I share with the other owner' },
        orderNow,
        protection,
      },
      '2026-11-bank-sole-client': {
        ownCard: { ...ownCard, ...byBank, yes: 'Yes, it’s mine' },
        orderNow,
        protection,
      },
    });
  });
});
