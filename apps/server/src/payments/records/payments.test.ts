import { sandboxCards } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { buildCase, ownCard, withTestServer } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';

const server = withTestServer();

/** A case of two joint clients with one search to pay. */
async function openSearch() {
  const built = await buildCase(server.database, { clients: [{}, {}] });
  const { rows } = await server.pool.query(
    'select s.id from case_searches s join matters m on m.id = s.matter_id where m.case_id = $1',
    [built.id],
  );
  const [one, other] = await Promise.all(built.clientIds.map((id) => server.signInAs(id)));
  return {
    id: rows[0].id as string,
    one: one ?? { authorization: '' },
    other: other ?? { authorization: '' },
  };
}

const post = (path: string, headers: object, payload: object = {}) =>
  server.app.inject({ method: 'POST', url: `/api${path}`, headers: { ...headers }, payload });
const start = (id: string, headers: object, payload: object = ownCard) =>
  post(`/case-searches/${id}/payments`, headers, payload);
const read = async (path: string, headers: { authorization: string }) =>
  (await server.app.inject({ url: `/api${path}`, headers })).json().data;

const card = (number: string) => ({ number, exp_month: 12, exp_year: 2035, cvc: '123' });
const confirm = (secret: string, number: string) =>
  post(
    `/sandbox/payment-intents/${secret.split('_secret')[0]}/confirm`,
    {},
    { client_secret: secret, card: card(number) },
  );

describe('paying for a search', () => {
  test('a payment for a search charges the server’s price, is paid by the webhook, and results in a receipt, a history entry and a paid search', async () => {
    const { id, one, other } = await openSearch();
    const started = await start(id, one, {
      order_now: true,
      order_wording: '2026-12-unknown',
      own_card: true,
      payer_name: 'A. Payer',
      receipt_email: 'a@example.test',
    });
    expect(started.statusCode).toBe(200);
    const intent = started.json().data;
    const search = await read(`/case-searches/${id}`, one);
    expect(intent).toMatchObject({
      provider: 'sandbox',
      amount: search.price.gross,
      currency: 'gbp',
      status: 'requires_payment_method',
    });
    expect((await confirm(intent.client_secret, '4242424242424242')).json().data.status).toBe('succeeded');
    await expect
      .poll(async () => (await read(`/payments/${intent.payment_id}`, one)).status)
      .toBe('succeeded');

    const paid = await read(`/payments/${intent.payment_id}`, other);
    expect(paid).toMatchObject({
      receipt_number: expect.stringMatching(/^R-\d{4}-\d{6}$/),
      card: { brand: 'visa', last4: '4242' },
      payer: { own_card: true, name: expect.stringMatching(/^Rowan /) },
      failure: null,
      supplied_on: londonDay(new Date(paid.paid_at)),
    });
    expect(await read(`/case-searches/${id}`, other)).toMatchObject({
      status: 'paid',
      payable: false,
      payment: { status: 'succeeded' },
    });
    const [newest] = await read('/case-history?limit=1', other);
    expect(newest).toMatchObject({ category: 'payment' });
    const { rows } = await server.pool.query(
      'select sum(money)::int as taken from payment_changes where payment_id = $1',
      [intent.payment_id],
    );
    expect(rows[0].taken).toBe(search.price.gross);
  });

  test('fault 26: answers 409 and starts nothing when a search is already paid', async () => {
    const { id, one, other } = await openSearch();
    const { client_secret } = (await start(id, one)).json().data;
    await confirm(client_secret, '5555555555554444');
    // Until the webhook arrives, the response is 409 because the other client has started the payment.
    await expect.poll(async () => (await start(id, other)).json().code).toBe('already_paid');
    expect((await start(id, other)).statusCode).toBe(409);
  });

  test.each(
    sandboxCards.filter(
      ({ behaviour }) => !/^succeeds|^refund|^dispute|^inquiry|^fraud|authentication/.test(behaviour),
    ),
  )(
    'fault 20: declines card $number ($says) with its reason, charges nothing and allows another card',
    async ({ number, behaviour }) => {
      const { id, one } = await openSearch();
      const { client_secret, payment_id } = (await start(id, one)).json().data;
      expect((await confirm(client_secret, number)).json().data).toMatchObject({
        status: 'requires_payment_method',
        last_error: { code: behaviour },
      });
      await expect
        .poll(async () => (await read(`/payments/${payment_id}`, one)).failure?.code)
        .toBe(behaviour);
      expect((await read(`/payments/${payment_id}`, one)).failure.message).toContain(
        'You have not been charged',
      );
      expect((await confirm(client_secret, '4242424242424242')).json().data.status).toBe('succeeded');
    },
  );

  test('the sandbox rejects any card number but the test cards, and stores no part of it', async () => {
    const { id, one } = await openSearch();
    const { client_secret } = (await start(id, one)).json().data;
    const real = '4929000000006666';
    expect((await confirm(client_secret, real)).json().data.last_error.code).toBe('test_card_required');
    const { rows } = await server.pool.query(
      `select (select jsonb_agg(i) from sandbox_intents i)::text || (select coalesce(jsonb_agg(e)::text, '') from sandbox_events e)
       || (select jsonb_agg(p)::text from payments p) || (select coalesce(jsonb_agg(v)::text, '') from provider_events v) as everything`,
    );
    expect(rows[0].everything).not.toContain(real);
    // The end of the number, except within the digits of an id.
    expect(rows[0].everything).not.toMatch(/(?<![0-9a-f-])6666(?![0-9a-f-])/);
  });

  test.each([
    ['4000000000003220', 'approved', 'succeeded'],
    ['4000000000003220', 'refused', 'requires_payment_method'],
    ['4000008400001629', 'approved', 'requires_payment_method'],
  ] as const)(
    'waits for the bank with card %s; an answer of %s leads to %s',
    async (number, outcome, status) => {
      const { id, one } = await openSearch();
      const { client_secret, payment_id } = (await start(id, one)).json().data;
      expect((await confirm(client_secret, number)).json().data.status).toBe('requires_action');
      await expect
        .poll(async () => (await read(`/payments/${payment_id}`, one)).status)
        .toBe('requires_action');
      const answered = await post(
        `/sandbox/payment-intents/${client_secret.split('_secret')[0]}/authenticate`,
        {},
        { client_secret, outcome },
      );
      expect(answered.json().data.status).toBe(status);
      await expect.poll(async () => (await read(`/payments/${payment_id}`, one)).status).toBe(status);
    },
  );

  test('fault 23: charges nothing for a second press while the bank is processing', async () => {
    const { id, one } = await openSearch();
    const { client_secret, payment_id } = (await start(id, one)).json().data;
    expect((await confirm(client_secret, '4000000000000077')).json().data.status).toBe('processing');
    expect((await confirm(client_secret, '4242424242424242')).json().data.status).toBe('processing');
    await expect.poll(async () => (await read(`/payments/${payment_id}`, one)).status).toBe('processing');
    await expect
      .poll(async () => (await read(`/payments/${payment_id}`, one)).status, { timeout: 20_000 })
      .toBe('succeeded');
  });
});

describe('repeated requests for the same payment', () => {
  test('fault 25: gives 200 concurrent requests of two clients one payment and one intent', async () => {
    const { id, one, other } = await openSearch();
    // A request that waits five seconds for a connection gets a 503, and its client retries.
    const startWhenAvailable = async (headers: typeof one) => {
      for (;;) {
        const answer = await start(id, headers);
        if (answer.statusCode !== 503) return answer;
      }
    };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => startWhenAvailable(index % 2 === 0 ? one : other)),
    );
    // The first client to confirm it pays it; the other one gets no client secret.
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100);
    expect(new Set(answers.map((answer) => answer.json().data?.client_secret)).size).toBe(2);
    expect(new Set(answers.map((answer) => answer.json().code))).toEqual(
      new Set([undefined, 'started_by_other_client']),
    );
    const { rows } = await server.pool.query(
      `select (select count(*) from payments where case_search_id = $1)::int as payments,
        (select count(*) from sandbox_intents where metadata->>'payment_id' in (select id::text from payments where case_search_id = $1))::int as intents`,
      [id],
    );
    expect(rows[0]).toEqual({ payments: 1, intents: 1 });
  });

  test('gives the same payment for the same Idempotency-Key and content', async () => {
    const { id, one } = await openSearch();
    const headers = { ...one, 'idempotency-key': 'k-1' };
    const [first, second] = [await start(id, headers), await start(id, headers)];
    expect(second.json()).toEqual(first.json());
  });

  test('rejects a payment with the same Idempotency-Key and different content', async () => {
    const { id, one } = await openSearch();
    const another = await openSearch();
    const key = { 'idempotency-key': 'k-2' };
    expect((await start(id, { ...one, ...key })).statusCode).toBe(200);
    expect(
      (await start(id, { ...one, ...key }, { ...ownCard, own_card: false, payer_name: 'Grace' })).json().code,
    ).toBe('idempotency_key_reused');
    expect((await start(another.id, { ...another.one, ...key })).statusCode).toBe(200);
  });

  test('continues the current payment of a search with a key whose payment was cancelled', async () => {
    const { id, one, other } = await openSearch();
    const headers = { ...one, 'idempotency-key': 'k-3' };
    const { payment_id: first } = (await start(id, headers)).json().data;
    await server.pool.query("update payments set status = 'cancelled' where id = $1", [first]);
    const { payment_id: second } = (await start(id, other)).json().data;
    expect(second).not.toBe(first);
    expect((await start(id, headers)).json().code).toBe('started_by_other_client');
    expect((await start(id, one, {})).json().data).toMatchObject({ payment_id: second, client_secret: null });
  });

  test('returns the payment of the joint client without its client secret to a request without a body', async () => {
    const { id, one, other } = await openSearch();
    const graces = { ...ownCard, own_card: false, payer_name: 'Grace' };
    const { payment_id, client_secret } = (await start(id, one, graces)).json().data;
    expect(client_secret).toEqual(expect.any(String));
    expect((await start(id, other, {})).json().data).toMatchObject({ payment_id, client_secret: null });
    expect((await read(`/payments/${payment_id}`, other)).payer).toEqual({
      client: { id: expect.any(String), first_name: 'Rowan' },
      own_card: false,
      name: 'Grace',
      check: null,
    });
  });
});

describe('a payment for something else', () => {
  const body = { category: 'money_on_account', amount: 25_000, own_card: true };

  test('a payment for something else is started, paid, listed and receipted over HTTP', async () => {
    await server.pool.query('update installation set firm = $1', [
      JSON.stringify({
        name: 'Alder & Finch',
        sra_number: '6',
        phone: '01632',
        address: [],
        opening_hours: '',
        vat_number: null,
      }),
    ]);
    const { one, other } = await openSearch();
    const started = await post('/other-payments', { ...one, 'idempotency-key': 'k-1' }, body);
    expect(started.statusCode).toBe(200);
    const { payment_id, client_secret } = started.json().data;
    const receipt = () =>
      server.app.inject({ url: `/api/payments/${payment_id}/receipt`, headers: { ...other } });
    expect((await receipt()).statusCode).toBe(404);
    await confirm(client_secret, '4242424242424242');
    await expect.poll(async () => (await read('/payments', other))[0]?.status).toBe('succeeded');
    expect(await read('/payments', other)).toMatchObject([
      { id: payment_id, kind: 'other', category: 'money_on_account', description: 'Money on account' },
    ]);
    const printed = await receipt();
    expect(printed.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename="Receipt R-\d{4}-\d{6}\.pdf"$/),
    });
    expect(printed.body).toMatch(/^%PDF/);
    expect((await post(`/payments/${payment_id}/cancel`, one)).json().code).toBe('payment_settled');
  });

  test('rejects a payment for something else outside the limits, naming the limit or the bank transfer', async () => {
    const { one } = await openSearch();
    const tooMuch = await post('/other-payments', one, { ...body, amount: 500_001 });
    expect(tooMuch.statusCode).toBe(422);
    expect(tooMuch.json().errors.amount[0]).toContain('£5,000.00');
    for (const amount of [500_000, 500_000]) await post('/other-payments', one, { ...body, amount });
    const overADay = await post('/other-payments', one, body);
    expect(overADay.statusCode).toBe(409);
    expect(overADay.json()).toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining('bank transfer'),
    });
  });

  test('rejects the same key for a search and a payment for something else', async () => {
    const { id, one } = await openSearch();
    const headers = { ...one, 'idempotency-key': 'k-both' };
    expect((await post('/other-payments', headers, body)).statusCode).toBe(200);
    expect((await start(id, headers)).json().code).toBe('idempotency_key_reused');
  });

  test('lets the joint client cancel a payment for something else', async () => {
    const { one, other } = await openSearch();
    const { payment_id } = (await post('/other-payments', one, body)).json().data;
    const cancellation = await post(`/payments/${payment_id}/cancel`, other);
    expect(cancellation.json().data).toMatchObject({ id: payment_id, status: 'cancelled' });
  });
});
