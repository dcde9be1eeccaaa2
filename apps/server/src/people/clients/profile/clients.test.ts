import { type CallKey, calls } from '@keyturn/contract';
import { buildCase, buildClient, buildFirm, withStatementCount, withTestDatabase } from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { caseOf, toCase } from '../../../case-file/cases/read-conveyancing-case.ts';
import { clientRoutes } from '../../../doors/client/client-routes.ts';
import type { CallHandlers } from '../../../http/call-handlers.ts';
import { createServer } from '../../../http/create-server.ts';
import { newId } from '../../../platform/ids.ts';
import { caseClients, clients } from '../../../schema/tables/tables.ts';
import { readConveyancingCase } from '../../../testing/read-conveyancing-case.ts';
import { changeActiveCase } from './change-active-case.ts';
import { createClientRead } from './read-client.ts';

const stored = withTestDatabase();
const counted = withStatementCount(stored);

beforeAll(async () => {
  await buildFirm(stored.database);
});

const readClient = createClientRead({ select: caseOf, toCase });
const read = (clientId: string) => readClient().forClient(stored.database, clientId);
const change = (clientId: string, caseId: string) => changeActiveCase(stored.database, clientId, caseId);

/** A client with one case per given description, created in that order. */
async function clientWithCases(...cases: Parameters<typeof buildCase>[1][]) {
  const { id } = await buildClient(stored.database);
  const caseIds: string[] = [];
  for (const overrides of cases) {
    caseIds.push((await buildCase(stored.database, { ...overrides, clients: [{ id }] })).id);
  }
  return { id, caseIds };
}

const on = (day: number) => new Date(Date.UTC(2026, 4, day));

describe('readClient', () => {
  test('returns the client with the whole active case and a list of all cases', async () => {
    const { clientId, id, reference } = await buildCase(stored.database, {
      clients: [
        { title: 'Mr', firstName: 'George', lastName: 'Hale', email: 'george@example.test', phone: null },
      ],
    });
    const client = await read(clientId);
    expect(client).toMatchObject({
      id: clientId,
      title: 'Mr',
      first_name: 'George',
      last_name: 'Hale',
      email: 'george@example.test',
      phone: null,
      active_case: { id, reference },
      cases: [{ id, reference, title: 'Purchase of The Old Chapel' }],
    });
    expect(client.conveyancing_case).toEqual(
      await readConveyancingCase(stored.database, { caseId: id, clientId }),
    );
    expect(client.conveyancing_case?.id).toBe(id);
  });

  test('returns no active case for a client without cases', async () => {
    const { id } = await buildClient(stored.database);
    expect(await read(id)).toMatchObject({ conveyancing_case: null, active_case: null, cases: [] });
  });

  test('never returns the password hash or the firm’s client reference', async () => {
    const { id } = await buildClient(stored.database, { passwordHash: 'the hash', reference: 'C-778' });
    const shown = JSON.stringify(await read(id));
    expect(shown).not.toContain('the hash');
    expect(shown).not.toContain('C-778');
  });

  test('shows the newest active case to a client who has not chosen one', async () => {
    const { id, caseIds } = await clientWithCases(
      { createdAt: on(1) },
      { createdAt: on(2) },
      { createdAt: on(3), status: 'completed' },
    );
    const client = await read(id);
    expect(client.active_case?.id).toBe(caseIds[1]);
    expect(client.cases.map((conveyancingCase) => conveyancingCase.id)).toEqual(caseIds.toReversed());
  });

  test('shows the newest case when all cases are closed', async () => {
    const { id, caseIds } = await clientWithCases(
      { createdAt: on(2), status: 'abandoned' },
      { createdAt: on(1), status: 'completed' },
    );
    expect((await read(id)).active_case?.id).toBe(caseIds[0]);
  });

  test('shows the chosen case even when it is older and completed', async () => {
    const { id, caseIds } = await clientWithCases(
      { createdAt: on(1), status: 'completed' },
      { createdAt: on(2) },
    );
    await change(id, caseIds[0] ?? '');
    const client = await read(id);
    expect(client.active_case?.id).toBe(caseIds[0]);
    expect(client.conveyancing_case?.id).toBe(caseIds[0]);
    expect(client.cases).toHaveLength(2);
  });

  test('shows another case after the client was removed from the chosen one', async () => {
    const { id, caseIds } = await clientWithCases({ createdAt: on(1) }, { createdAt: on(2) });
    await change(id, caseIds[1] ?? '');
    await stored.database.delete(caseClients).where(eq(caseClients.caseId, caseIds[1] ?? ''));
    const client = await read(id);
    expect(client.active_case?.id).toBe(caseIds[0]);
    expect(client.cases.map((conveyancingCase) => conveyancingCase.id)).toEqual([caseIds[0]]);
  });

  test('fault 61: rejects another client’s, an unknown or a malformed case id and keeps the previous choice', async () => {
    const { id, caseIds } = await clientWithCases({ createdAt: on(1) }, { createdAt: on(2) });
    await change(id, caseIds[0] ?? '');
    const otherCase = await buildCase(stored.database);
    for (const caseId of [otherCase.id, newId(), '', '1', "' or 1=1 --", otherCase.id.toUpperCase()]) {
      await expect(change(id, caseId)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await read(id)).active_case?.id).toBe(caseIds[0]);
    expect((await read(otherCase.clientId)).active_case?.id).toBe(otherCase.id);
  });

  test('lets joint clients choose their active case independently', async () => {
    const { id: tom } = await buildClient(stored.database);
    const { id: amelia } = await buildClient(stored.database);
    const first = await buildCase(stored.database, {
      clients: [{ id: tom }, { id: amelia }],
      createdAt: on(1),
    });
    const second = await buildCase(stored.database, {
      clients: [{ id: tom }, { id: amelia }],
      createdAt: on(2),
    });
    await change(tom, first.id);
    expect((await read(tom)).active_case?.id).toBe(first.id);
    expect((await read(amelia)).active_case?.id).toBe(second.id);
  });

  test('signs out a client who was deleted', async () => {
    await expect(read(newId())).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('reads a client with the same number of statements however large the case is', async () => {
    const small = await buildCase(stored.database);
    const large = await buildCase(stored.database, {
      matters: Array.from({ length: 4 }, () => ({ searches: [{}, {}, {}], documents: [{}, {}] })),
      tasks: [{}, {}, {}],
      history: [{}, {}],
    });
    const statements = (clientId: string) =>
      counted.countStatementsOf(() => readClient().forClient(counted.database, clientId));
    expect(await statements(small.clientId)).toBe(1);
    expect(await statements(large.clientId)).toBe(1);
    expect(
      await counted.countStatementsOf(() => changeActiveCase(counted.database, small.clientId, small.id)),
    ).toBe(3);
  });

  test('rejects a malformed case id without a database statement', async () => {
    const refused = () => changeActiveCase(counted.database, newId(), '../../etc').catch(() => {});
    expect(await counted.countStatementsOf(refused)).toBe(0);
  });
});

describe('GET /client and PUT /client/active-case', () => {
  const names = [
    ['Siobhán', 'O’Brien-Ní Mháille'],
    ["D'Arcy", 'de la Cruz y Núñez'],
    ['李', '小龍'],
    ['محمد', 'الفارسي'],
    ['שרה', 'כהן'],
    ['Владимир', 'Ильич'],
    ['आरती', 'क्षत्रिय'],
    ['Zoë'.normalize('NFD'), 'Å'.normalize('NFD')],
    ['👩‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['=1+1', '<script>alert(1)</script>'],
    ["Robert'); DROP TABLE clients;--", 'Null'],
    ['x'.repeat(500), '\u202Ereversed\u202C'],
  ] as const;

  async function serve() {
    const others = (Object.keys(calls) as CallKey[]).map((key) => [
      key,
      async () => expect.fail(`${key} was called`),
    ]);
    const server = await createServer({
      handlers: {
        ...(Object.fromEntries(others) as CallHandlers),
        ...clientRoutes({ database: stored.database, readClient }),
      },
      // Authentication is not under test: the token is the client's id.
      authenticate: async (token, { read }) => ({
        id: token,
        sessionHash: Buffer.alloc(32),
        answer: await read?.forClient(stored.database, token),
      }),
      logLevel: 'silent',
      trustedProxies: 0,
      version: '1.0.0',
      apiPlugins: [],
      isReady: async () => true,
      readMaintenance: async () => ({ general: null, case_history: null }),
    });
    return server;
  }

  test.each(names)('fault 59: returns the name %s %s unchanged', async (firstName, lastName) => {
    const server = await serve();
    const { clientId, id } = await buildCase(stored.database, {
      title: `Sale for ${firstName} ${lastName}`,
      clients: [{ firstName, lastName }],
      tasks: [{ title: lastName, explanation: firstName }],
    });
    for (const request of [
      { method: 'GET', url: '/api/client' },
      { method: 'PUT', url: '/api/client/active-case', payload: { id } },
    ] as const) {
      const response = await server.inject({ ...request, headers: { authorization: `Bearer ${clientId}` } });
      expect(response.statusCode).toBe(200);
      const { data } = response.json();
      expect([data.first_name, data.last_name]).toEqual([firstName, lastName]);
      expect(data.conveyancing_case.title).toBe(`Sale for ${firstName} ${lastName}`);
      expect(data.conveyancing_case.tasks[0]).toMatchObject({ title: lastName, explanation: firstName });
      expect(data).toEqual(JSON.parse(JSON.stringify(await read(clientId))));
    }
    await server.close();
  });

  test('answers the same for another client’s case as for one that does not exist', async () => {
    const server = await serve();
    const { clientId } = await buildCase(stored.database);
    const otherCase = await buildCase(stored.database);
    const answers = [];
    for (const id of [otherCase.id, newId(), 'x', '0']) {
      const headers = { authorization: `Bearer ${clientId}` };
      answers.push(
        await server.inject({ method: 'PUT', url: '/api/client/active-case', headers, payload: { id } }),
      );
    }
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toBe(answers[0]?.body);
    }
    await server.close();
  });

  test('answers 401 to a client who was deleted after signing in', async () => {
    const server = await serve();
    const { id } = await buildClient(stored.database);
    await stored.database.delete(clients).where(eq(clients.id, id));
    const response = await server.inject({ url: '/api/client', headers: { authorization: `Bearer ${id}` } });
    expect(response.statusCode).toBe(401);
    await server.close();
  });
});
