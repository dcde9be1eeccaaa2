import { intentOf, ownCard, type TestServer, withBackup } from '@keyturn/testkit';
import { expect, test } from 'vitest';

/** Amelia and Tom own one property. Amelia starts the payment for its search without confirming it; Tom confirms it. */
const world = withBackup();
const { copyOf, start, stop, call, startSearch, pay, paidPayments, command } = world;
const searchUrl = () => `/case-searches/${world.cases.untouched.caseSearchId}/payments`;
const clients = () => {
  const [amelia = '', tom = ''] = world.cases.untouched.clientIds;
  return { amelia, tom, his: { ...world.cases.untouched, clientId: tom } };
};

/** @returns the intent, which names Amelia */
async function startUnconfirmed(server: TestServer) {
  const { data } = await call(server, world.cases.untouched, searchUrl());
  expect(data.client_secret).toBeNull();
  const intent = world.simulator.intents.all().at(-1);
  expect(intent?.metadata.client_id).toBe(clients().amelia);
  return { paymentId: data.payment_id, intentId: intent?.id ?? '' };
}

test.each([
  ['starts the payment too', (server: TestServer) => startSearch(server, clients().his)],
  [
    'presses Pay on it',
    (server: TestServer, paymentId: string) =>
      call(server, clients().his, `/payments/${paymentId}/confirm`, ownCard),
  ],
])('fault 84: a joint client who %s is its payer after a restore', async (_, confirm) => {
  const { amelia, tom, his } = clients();
  const today = await copyOf(world.yesterday);
  const server = await start(today);
  const { paymentId, intentId } = await startUnconfirmed(server);
  const { data } = await confirm(server, paymentId);
  expect(intentOf(data.client_secret)).toBe(intentId);
  expect(world.simulator.intents.find(intentId).metadata.client_id).toBe(tom);
  await pay(server, his, data);
  await stop(server);

  const restored = await copyOf(world.yesterday);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  const payment = (await paidPayments(restored)).find(({ id }) => id === paymentId);
  expect(payment).toMatchObject({ status: 'succeeded', confirmed_by: tom });
  expect(payment.confirmed_by).not.toBe(amelia);
});

test('fault 84: the recovery names the payer of a payment that no client had confirmed in the backup', async () => {
  const { tom, his } = clients();
  const backup = await copyOf(world.yesterday);
  const before = await start(backup);
  const { paymentId } = await startUnconfirmed(before);
  await stop(before);
  await backup.close();
  const server = await start(await copyOf(backup));
  await pay(server, his);
  await stop(server);

  const restored = await copyOf(backup);
  expect((await command(restored, { dryRun: false })).exitCode).toBe(0);
  expect((await paidPayments(restored)).find(({ id }) => id === paymentId)).toMatchObject({
    status: 'succeeded',
    confirmed_by: tom,
  });
  const { rows } = await restored.pool.query(
    "select summary from history_entries where case_id = $1 and category = 'payment'",
    [his.id],
  );
  expect(rows).toEqual([{ summary: expect.stringMatching(/^Tom paid /) }]);
});

test.each(['broken before', 'broken after', 503] as const)(
  'fault 84: the payer gets no secret before the intent names them, however Stripe fails (%s)',
  async (fault) => {
    const { tom, his } = clients();
    const server = await start(await copyOf(world.yesterday));
    const { paymentId, intentId } = await startUnconfirmed(server);
    world.simulator.faultyCalls = new RegExp(`^POST /v1/payment_intents/${intentId}$`);
    world.simulator.faults.push(fault, fault, fault);
    expect(await startSearch(server, his)).toMatchObject({ code: 'payment_being_checked' });
    expect(world.simulator.faults).toEqual([]);
    const read = await server.app.inject({
      method: 'GET',
      url: `/api/payments/${paymentId}/intent`,
      headers: await server.signInAs(tom),
    });
    expect(intentOf(read.json().data.client_secret)).toBe(intentId);
    expect(world.simulator.intents.find(intentId).metadata.client_id).toBe(tom);
  },
);
