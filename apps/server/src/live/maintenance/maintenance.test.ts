import {
  createTestDatabase,
  createTestServer,
  parseCommand,
  type TestDatabase,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { maintenanceCommand, runMaintenance } from './maintenance-command.ts';
import { createMaintenanceReader } from './read-maintenance.ts';
import { type MaintenanceSwitch, switchMaintenance } from './switch-maintenance.ts';

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
const shownState = async () => {
  const lines: string[] = [];
  await runMaintenance(server.database, 'show', (line) => lines.push(line));
  return lines;
};
const stateAt = async ({ app }: TestServer) => (await app.inject({ url: '/api/maintenance' })).json().data;

describe('maintenance', () => {
  test('maintenance switches on and off on every server within about a second', async () => {
    expect(await stateAt(other)).toEqual({ general: null, case_history: null });
    const until = new Date('2026-11-24T14:00:00Z');
    await switchMaintenance(server.database, { area: 'general', on: true, message: 'Back soon.', until });
    const notice = { message: 'Back soon.', until: until.toISOString() };
    await expect
      .poll(() => Promise.all([stateAt(server), stateAt(other)]))
      .toEqual(Array(2).fill({ general: notice, case_history: null }));
    expect((await other.app.inject({ url: '/api/client' })).statusCode).toBe(503);
    await switchMaintenance(server.database, { area: 'general', on: false, message: null, until: null });
    await expect.poll(() => stateAt(other)).toEqual({ general: null, case_history: null });
    expect((await other.app.inject({ url: '/api/client' })).statusCode).toBe(401);
  });

  test('the message and the end of maintenance can be changed while it is on', async () => {
    const switched = { area: 'case-history', on: true, message: 'One.', until: null } as const;
    await switchMaintenance(server.database, switched);
    await switchMaintenance(server.database, { ...switched, message: 'Two.' });
    expect(await shownState()).toEqual(['general: open', 'case-history: in maintenance: "Two."']);
  });

  test('fault 31: accepts payment webhooks during maintenance', async () => {
    await switchMaintenance(server.database, { area: 'general', on: true, message: null, until: null });
    await expect.poll(async () => (await stateAt(server)).general).not.toBeNull();
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/webhooks/sandbox',
      headers: { 'content-type': 'application/json', 'sandbox-signature': 't=1,v1=00' },
      payload: '{}',
    });
    expect(response.statusCode).toBe(400);
  });

  test('maintenance writes one line to the log when it starts and one when it ends, whatever is requested meanwhile', async () => {
    const lines: string[] = [];
    const logging = await createTestServer({
      database,
      env: { LOG_LEVEL: 'warn' },
      logTo: { write: (line) => lines.push(line) },
    });
    const until = new Date('2026-11-24T14:00:00Z');
    const switched = { area: 'general', on: true, message: null, until } as const;
    await switchMaintenance(server.database, switched);
    await expect.poll(async () => (await stateAt(logging)).general).not.toBeNull();
    for (const url of ['/api/client', '/api/payments', '/', '/milestones', '/api/staff/cases', '/feed/cases'])
      for (const _time of [1, 2]) await logging.app.inject({ url });
    await switchMaintenance(server.database, { ...switched, on: false });
    await expect.poll(async () => (await stateAt(logging)).general).toBeNull();
    await logging.stop();
    expect(
      lines.map((line) => JSON.parse(line)).map(({ level, msg, until }) => ({ level, msg, until })),
    ).toEqual([
      {
        level: 40,
        msg: 'maintenance (general) has started: requests are answered with 503 until it ends',
        until: until.toISOString(),
      },
      { level: 40, msg: 'maintenance (general) has ended', until: undefined },
    ]);
  });

  test('maintenance queries the database once for many requests and keeps the last state while it is unavailable', async () => {
    let queries = 0;
    let time = 0;
    let isUnavailable = false;
    const counted = new Proxy(server.database, {
      get: (target, name, receiver) => {
        if (name === 'select') queries += 1;
        if (name === 'select' && isUnavailable) throw new Error('unavailable');
        return Reflect.get(target, name, receiver);
      },
    });
    const read = createMaintenanceReader(counted, () => new Date(time));
    await switchMaintenance(server.database, { area: 'general', on: true, message: null, until: null });
    await Promise.all(Array.from({ length: 20 }, async () => read()));
    await read();
    expect(queries).toBe(1);
    isUnavailable = true;
    time = 5_000;
    expect(await read()).toEqual({ general: { message: null, until: null }, case_history: null });
    expect(queries).toBe(2);
  });
});

describe('keyturn maintenance', () => {
  const parse = (args: string[]) =>
    parseCommand<MaintenanceSwitch | 'show'>((run) => maintenanceCommand(() => now, run), args);

  test.each([
    [[], 'show'],
    [['on'], { area: 'general', on: true, message: null, until: null }],
    [['off', '--area', 'case-history'], { area: 'case-history', on: false, message: null, until: null }],
    [
      ['on', '--message', ' Back soon. ', '--until', '14:00'],
      { area: 'general', on: true, message: 'Back soon.', until: new Date('2026-11-21T14:00:00Z') },
    ],
  ])('keyturn maintenance parses %j', (args, expected) => {
    expect(parse(args)).toEqual(expected);
  });

  test.each([
    [['perhaps'], /'perhaps' is invalid.*Allowed choices are on, off/],
    [['on', 'off'], /too many arguments/],
    [
      ['on', '--area', 'kitchen'],
      /'--area <area>' argument 'kitchen' is invalid. Allowed choices are general, case-history/,
    ],
    [['on', '--until', 'soon'], /'--until <time>' argument 'soon' is invalid. It must be a time in London/],
    [['on', '--until', '2020-01-01 10:00'], /must be in the future/],
    [['on', '--message', 'x'.repeat(501)], /500 characters/],
    [['on', '--loud'], /unknown option '--loud'/],
    [['--help'], /outputHelp/],
  ])('keyturn maintenance rejects %j with a reason', (args, reason) => {
    expect(() => parse(args)).toThrow(reason);
  });

  test('keyturn maintenance prints the current state', async () => {
    const command = parse(['on', '--until', '2027-07-24 14:00']);
    const lines: string[] = [];
    await runMaintenance(server.database, command, (line) => lines.push(line));
    expect(lines).toEqual([
      'general: in maintenance, expected to end 2027-07-24 14:00',
      'case-history: open',
    ]);
  });
});
