import { createTestDatabase, createTestServer, type TestDatabase, type TestServer } from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseMaintenanceCommand, runMaintenance } from './maintenance-command.ts';
import { createMaintenanceReader } from './read-maintenance.ts';
import { switchMaintenance } from './switch-maintenance.ts';

let database: TestDatabase;
let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await createTestServer({ database });
  other = await createTestServer({ database });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
  await database.drop();
});
afterEach(() => server.pool.query('delete from maintenance'));

const now = new Date('2026-11-21T12:00:00Z');
const told = async () => {
  const lines: string[] = [];
  await runMaintenance(server.database, 'show', (line) => lines.push(line));
  return lines;
};
const standsAt = async ({ app }: TestServer) => (await app.inject({ url: '/api/maintenance' })).json().data;

describe('maintenance', () => {
  test('is switched for every server within a second or so, and off again', async () => {
    expect(await standsAt(other)).toEqual({ general: null, case_history: null });
    const until = new Date('2026-11-24T14:00:00Z');
    await switchMaintenance(server.database, { area: 'general', on: true, message: 'Back soon.', until });
    const notice = { message: 'Back soon.', until: until.toISOString() };
    await expect
      .poll(() => Promise.all([standsAt(server), standsAt(other)]), { timeout: 4_000 })
      .toEqual(Array(2).fill({ general: notice, case_history: null }));
    expect((await other.app.inject({ url: '/api/client' })).statusCode).toBe(503);
    await switchMaintenance(server.database, { area: 'general', on: false, message: null, until: null });
    await expect
      .poll(() => standsAt(other), { timeout: 4_000 })
      .toEqual({ general: null, case_history: null });
    expect((await other.app.inject({ url: '/api/client' })).statusCode).toBe(401);
  });

  test('takes new words and another end while it is on', async () => {
    const switched = { area: 'case-history', on: true, message: 'One.', until: null } as const;
    await switchMaintenance(server.database, switched);
    await switchMaintenance(server.database, { ...switched, message: 'Two.' });
    expect(await told()).toEqual(['general: open', 'case-history: in maintenance: "Two."']);
  });

  test('fault 31: maintenance still reads the webhooks of payments', async () => {
    await switchMaintenance(server.database, { area: 'general', on: true, message: null, until: null });
    await expect.poll(async () => (await standsAt(server)).general, { timeout: 4_000 }).not.toBeNull();
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/webhooks/sandbox',
      headers: { 'content-type': 'application/json', 'sandbox-signature': 't=1,v1=00' },
      payload: '{}',
    });
    expect(response.statusCode).toBe(400);
  });

  test('asks the database once for many requests, and believes what it knew while that is away', async () => {
    let asked = 0;
    let time = 0;
    let isAway = false;
    const counted = new Proxy(server.database, {
      get: (target, name, receiver) => {
        if (name === 'select') asked += 1;
        if (name === 'select' && isAway) throw new Error('away');
        return Reflect.get(target, name, receiver);
      },
    });
    const read = createMaintenanceReader(counted, () => new Date(time));
    await switchMaintenance(server.database, { area: 'general', on: true, message: null, until: null });
    await Promise.all(Array.from({ length: 20 }, () => read()));
    await read();
    expect(asked).toBe(1);
    isAway = true;
    time = 5_000;
    expect(await read()).toEqual({ general: { message: null, until: null }, case_history: null });
    expect(asked).toBe(2);
  });
});

describe('keyturn maintenance', () => {
  test.each([
    [[], 'show'],
    [['on'], { area: 'general', on: true, message: null, until: null }],
    [['off', '--area', 'case-history'], { area: 'case-history', on: false, message: null, until: null }],
    [
      ['on', '--message', ' Back soon. ', '--until', '14:00'],
      { area: 'general', on: true, message: 'Back soon.', until: new Date('2026-11-21T14:00:00Z') },
    ],
  ])('%j is understood', (args, asked) => {
    expect(parseMaintenanceCommand(args, now)).toEqual(asked);
  });

  test.each([
    [['perhaps'], /^Usage/],
    [['on', 'off'], /^Usage/],
    [['on', '--area', 'kitchen'], /--area must be one of general, case-history/],
    [['on', '--until', 'soon'], /--until must be a time in London/],
    [['on', '--until', '2020-01-01 10:00'], /over already/],
    [['on', '--message', 'x'.repeat(501)], /500 characters/],
    [['on', '--loud'], /^Usage/],
    [['--help'], /^Usage/],
  ])('%j is refused in words', (args, words) => {
    expect(() => parseMaintenanceCommand(args, now)).toThrow(words);
  });

  test('tells how things stand', async () => {
    const asked = parseMaintenanceCommand(['on', '--until', '2027-07-24 14:00'], now);
    const lines: string[] = [];
    await runMaintenance(server.database, asked, (line) => lines.push(line));
    expect(lines).toEqual([
      'general: in maintenance, expected to end 2027-07-24 14:00',
      'case-history: open',
    ]);
  });
});
