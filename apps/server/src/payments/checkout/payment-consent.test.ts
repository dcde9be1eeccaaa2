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
  return { one, other, start };
}
const confirmed = {
  order_now: true,
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
