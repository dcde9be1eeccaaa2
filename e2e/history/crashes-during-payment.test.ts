import { afterAll, beforeAll, expect, test } from 'vitest';
import { password } from './system/build-firm.ts';
import { startWorld, type World } from './system/start-system.ts';

let world: World;
let authorization: string;
beforeAll(async () => {
  // The periodic catch-up runs only at start, so that the test controls every call to Stripe.
  world = await startWorld({ clients: 1, cases: 1, searches: 6, servers: 1, catchUpEvery: 600_000 });
  const signedIn = await call('POST', '/login', { email: world.clients[0]?.email, password });
  authorization = `Bearer ${signedIn.body.data.access_token}`;
});
afterAll(() => world.stop());

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${world.servers[0]?.url()}/api${path}`, {
    method,
    headers: {
      ...(authorization ? { authorization } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

const start = (search: number) =>
  call('POST', `/case-searches/${world.searches[search]?.id}/payments`, { order_now: true, own_card: true });

async function killAndStart() {
  for (const server of world.servers) {
    await server.kill();
    await server.start();
  }
}

/** Reads the payments and intents for a search from the database and from Stripe. */
async function madeFor(search: number) {
  const { rows } = await world.pool.query<{ id: string; intent: string | null }>(
    'select id, provider_intent_id as intent from payments where case_search_id = $1',
    [world.searches[search]?.id],
  );
  const intents = world.simulator.intents
    .all()
    .filter(({ metadata }) => rows.some(({ id }) => id === metadata.payment_id));
  return { payments: rows, intents };
}

test('fault 2: a crash between Stripe creating the intent and the server storing it leaves one intent, which the retry uses', async () => {
  // Not the server’s own checks of older payments.
  world.simulator.faultyCalls = /^POST /;
  world.simulator.faults.push('silent after');
  const lost = start(0).catch(() => 'lost');
  await expect.poll(async () => (await madeFor(0)).intents.length, { timeout: 10_000 }).toBe(1);
  await killAndStart();
  expect(await lost).toBe('lost');
  const before = await madeFor(0);
  expect(before.payments).toEqual([{ id: expect.any(String), intent: null }]);
  const { status, body } = await start(0);
  expect(status).toBe(200);
  const after = await madeFor(0);
  expect(after.intents.map(({ id }) => id)).toEqual([before.intents[0]?.id]);
  expect(body.data.client_secret).toBe(after.intents[0]?.client_secret);
});

test('fault 3: a crash after the commit and before the response gives the retry the same payment and intent', async () => {
  expect((await start(1)).status).toBe(200);
  const [intent] = (await madeFor(1)).intents;
  const retrieval = `GET /v1/payment_intents/${intent?.id}`;
  const retrievals = () => world.simulator.calls.filter(({ request }) => request === retrieval).length;
  const retrievalsBefore = retrievals();
  // Resuming a payment retrieves its intent from Stripe; that answer never arrives.
  world.simulator.faultyCalls = new RegExp(`^${retrieval}$`);
  world.simulator.faults.push('silent before');
  const lost = start(1).catch(() => 'lost');
  await expect.poll(retrievals, { timeout: 10_000 }).toBe(retrievalsBefore + 1);
  await killAndStart();
  expect(await lost).toBe('lost');
  const before = await madeFor(1);
  expect(before.payments).toEqual([{ id: expect.any(String), intent: before.intents[0]?.id }]);
  const { status, body } = await start(1);
  expect(status).toBe(200);
  expect(await madeFor(1)).toEqual(before);
  expect(body.data).toMatchObject({
    payment_id: before.payments[0]?.id,
    client_secret: before.intents[0]?.client_secret,
  });
});

test('fault 16: the catch-up job finds out that a payment succeeded when no webhook arrives', async () => {
  const { body } = await start(2);
  const { intents } = await madeFor(2);
  world.simulator.intents.confirm(intents[0]?.id ?? '', 'pm_card_visa');
  const look = async () => (await call('GET', `/payments/${body.data.payment_id}`)).body.data.status;
  expect(await look()).toBe('requires_payment_method');
  await killAndStart();
  await expect.poll(look, { timeout: 20_000 }).toBe('succeeded');
  expect((await start(2)).body.code).toBe('already_paid');
});
