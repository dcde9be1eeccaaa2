import { withTestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type StaffBrowser, serveStaff } from '../../../testing/serve-staff.ts';
import { startTogether } from '../../../testing/until-blocked.ts';
import { feedKeyHandlers } from '../../staff/feed-key-routes.ts';
import { authenticateFeedKey } from './feed-keys.ts';

const stored = withTestDatabase();
let desk: Awaited<ReturnType<typeof serveStaff>>;
let admin: StaffBrowser;
beforeAll(async () => {
  const { database } = stored;
  desk = await serveStaff(stored, { handlers: (clock) => feedKeyHandlers({ database, clock }) });
});
afterAll(() => desk.app.close());
beforeEach(async () => {
  desk.clock.set('2026-11-23T09:00:00Z');
  admin = await desk.signInAs('admin');
});

const key = { name: ' Case management ', scopes: ['clients:write', 'changes:read'] };
const authenticate = (secret: string) =>
  authenticateFeedKey({ database: stored.database, clock: desk.clock }, secret);
const listed = async (id: string) =>
  (await admin.call('GET', '/feed-keys')).data.find((each: { id: string }) => each.id === id);
const auditOf = async (id: string) =>
  (
    await stored.pool.query(
      `select actor_kind, action, address from audit_entries join audit_links on entry_id = id
       where subject_id = $1 order by position`,
      [id],
    )
  ).rows;

test('an admin creates, rotates and revokes a key, and its secret is shown only once', async () => {
  const { data: created } = await admin.call('POST', '/feed-keys', { ...key, expires_on: '2027-11-01' });
  expect(await authenticate(created.secret)).toMatchObject({ id: created.id, scopes: key.scopes });
  expect(await listed(created.id)).toEqual({
    id: created.id,
    name: 'Case management',
    scopes: key.scopes,
    state: 'active',
    created_at: '2026-11-23T09:00:00.000Z',
    expires_at: '2027-11-01T00:00:00.000Z',
    revoked_at: null,
    last_used_at: '2026-11-23T09:00:00.000Z',
  });
  const { data: rotated } = await admin.call('POST', `/feed-keys/${created.id}/rotate`, { overlap_hours: 0 });
  expect(await authenticate(created.secret)).toBeNull();
  expect(await authenticate(rotated.secret)).toMatchObject({ id: created.id });
  expect((await admin.call('POST', `/feed-keys/${created.id}/revoke`)).status).toBe(204);
  expect(await authenticate(rotated.secret)).toBeNull();
  expect(await listed(created.id)).toMatchObject({ state: 'revoked' });
  const by = { actor_kind: 'staff', address: '203.0.113.7' };
  expect(await auditOf(created.id)).toEqual([
    { ...by, action: 'feed_key.created' },
    { ...by, action: 'feed_key.rotated' },
    { ...by, action: 'feed_key.revoked' },
  ]);
});

test('a revoked key cannot be rotated, and the answer says why', async () => {
  const { data } = await admin.call('POST', '/feed-keys', key);
  await admin.call('POST', `/feed-keys/${data.id}/revoke`);
  expect(await admin.call('POST', `/feed-keys/${data.id}/rotate`, { overlap_hours: 24 })).toMatchObject({
    status: 409,
    code: 'integration_state',
    message: 'The key was revoked or has expired. Create another one.',
  });
});

test('there are at most 50 keys that can be used, and the answer says what to do', async () => {
  const countUsable = `select count(*)::int as usable from feed_keys
    where revoked_at is null and (expires_at is null or expires_at > '2026-11-23T09:00:00Z')`;
  await stored.pool.query(
    `insert into feed_keys (id, name, scopes, created_at, expires_at)
     select gen_random_uuid(), 'Many', '{changes:read}', now(), '2026-11-24' from generate_series(1, 49 - (${countUsable}))`,
  );
  const create = () => admin.call('POST', '/feed-keys', key);
  const answers = await startTogether(stored, 'feed_keys', [create, create, create]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject({
    code: 'integration_state',
    message: 'There are 50 keys that can be used already. Revoke one that no system uses any more.',
  });
  const { rows } = await stored.pool.query(countUsable);
  expect(rows).toEqual([{ usable: 50 }]);
  // Those that have expired do not count.
  desk.clock.set('2026-11-24T09:00:00Z');
  admin = await desk.signInAs('admin');
  expect(await create()).toMatchObject({ status: 200 });
  await stored.pool.query('update feed_keys set revoked_at = now() where revoked_at is null');
});

test('a key has at most five secrets, and can always be given one that ends the others', async () => {
  const { data } = await admin.call('POST', '/feed-keys', key);
  const rotate = (hours: number) =>
    admin.call('POST', `/feed-keys/${data.id}/rotate`, { overlap_hours: hours });
  for (let time = 0; time < 4; time += 1) expect((await rotate(24)).status).toBe(200);
  expect(await rotate(24)).toMatchObject({ status: 409, code: 'integration_state' });
  expect((await rotate(0)).status).toBe(200);
  expect(await authenticate(data.secret)).toBeNull();
});

test('a key needs a scope, and a last day in the future', async () => {
  for (const change of [{ scopes: [] }, { scopes: ['passwords:read'] }, { expires_on: '2026-11-23' }]) {
    expect(await admin.call('POST', '/feed-keys', { ...key, ...change })).toMatchObject({ status: 422 });
  }
});

test('changing a key needs a confirmation within the last five minutes', async () => {
  const { data } = await admin.call('POST', '/feed-keys', key);
  desk.clock.advance(5 * 60_000);
  const attempts = [
    admin.call('POST', '/feed-keys', key),
    admin.call('POST', `/feed-keys/${data.id}/rotate`, { overlap_hours: 24 }),
    admin.call('POST', `/feed-keys/${data.id}/revoke`),
  ];
  for (const { code } of await Promise.all(attempts)) expect(code).toBe('identity_not_confirmed');
  expect(await authenticate(data.secret)).not.toBeNull();
});
