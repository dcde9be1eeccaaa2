import {
  buildCase,
  buildClient,
  buildDocument,
  buildPayment,
  buildSignature,
  buildTask,
  countStatements,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { documentReads } from '../../schema/tables/tables.ts';
import { payableSearches } from '../searches/payable-searches.ts';
import { readMilestones } from './read-milestones.ts';

const stored = withTestDatabase();

describe('readMilestones', () => {
  test('lists the milestones of the active case by matter, in path order', async () => {
    const { id: clientId } = await buildClient(stored.database);
    await buildCase(stored.database, { clients: [{ id: clientId }], status: 'completed' });
    await buildCase(stored.database);
    const built = await buildCase(stored.database, {
      clients: [{ id: clientId }],
      matters: [
        {
          position: 1,
          milestones: [
            { key: 'd', position: 1 },
            { key: 'c', position: 0 },
          ],
        },
        {
          position: 0,
          milestones: [
            { key: 'b', position: 30 },
            { key: 'a', position: 4 },
          ],
        },
      ],
    });
    const found = await readMilestones({ today: '2026-11-23' }).forClient(stored.database, clientId);
    expect(found.map((milestone) => milestone.key)).toEqual(['a', 'b', 'c', 'd']);
    const [second, first] = built.matters.map((matter) => matter.id);
    expect(found.map((milestone) => milestone.matter_id)).toEqual([first, first, second, second]);
  });

  test('milestones have every field of the contract', async () => {
    const { clientId, matterId } = await buildCase(stored.database, {
      matters: [
        {
          searches: [],
          milestones: [
            {
              key: 'searches_received',
              title: 'Search results in',
              explanation: 'All answers are back; we are reading them.',
              stageTitle: 'Searches and enquiries',
              stagePosition: 3,
              keyMoment: true,
              actor: 'third_party',
              waitingFor: 'Somerset Council',
              status: 'blocked',
              reachedOn: '2026-02-28',
              expectedFrom: '2026-03-28',
              expectedTo: '2026-03-30',
              waitingSince: '2026-03-01',
              usualDaysFrom: 10,
              usualDaysTo: 25,
              figuresOf: '2026-11-01',
              nextUpdateBy: '2026-10-25',
              position: 9,
            },
          ],
        },
      ],
    });
    expect(await readMilestones({ today: '2026-11-23' }).forClient(stored.database, clientId)).toEqual([
      {
        id: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        matter_id: matterId,
        key: 'searches_received',
        title: 'Search results in',
        explanation: 'All answers are back; we are reading them.',
        stage: { title: 'Searches and enquiries', position: 3, key_moment: true },
        actor: 'third_party',
        waiting_for: 'Somerset Council',
        status: 'blocked',
        reached_on: '2026-02-28',
        expected_from: '2026-03-28',
        expected_to: '2026-03-30',
        usually_between: null,
        waiting_since: '2026-03-01',
        also_waiting: null,
        usual_working_days: { from: 10, to: 25 },
        figures_of: '2026-11-01',
        next_update_by: '2026-10-25',
        position: 9,
      },
    ]);
  });

  test('milestones have null for unknown dates and durations', async () => {
    const { clientId } = await buildCase(stored.database, { matters: [{ milestones: [{}] }] });
    expect(await readMilestones({ today: '2026-11-23' }).forClient(stored.database, clientId)).toMatchObject([
      {
        waiting_for: null,
        reached_on: null,
        expected_from: null,
        expected_to: null,
        waiting_since: null,
        usual_working_days: null,
        figures_of: null,
        next_update_by: null,
      },
    ]);
  });

  test('milestones say when exchange and completion usually are, until days are planned', async () => {
    const read = async (matter: object, exchanged: object = {}) => {
      const { clientId } = await buildCase(stored.database, {
        matters: [
          {
            milestones: [
              { key: 'instructed', status: 'done', reachedOn: '2026-11-19' },
              { key: 'exchanged', status: 'upcoming', usualWeeksFrom: 10, usualWeeksTo: 20, ...exchanged },
              { key: 'completed', status: 'upcoming', usualWeeksFrom: 12, usualWeeksTo: 22 },
            ],
            ...matter,
          },
        ],
      });
      return (await readMilestones({ today: '2026-11-23' }).forClient(stored.database, clientId)).map(
        ({ usually_between }) => usually_between,
      );
    };
    const exchange = { from: '2027-01-28', to: '2027-04-08' };
    const completion = { from: '2027-02-11', to: '2027-04-22' };
    expect(await read({})).toEqual([null, exchange, completion]);
    expect(await read({}, { usualWeeksFrom: null, usualWeeksTo: null })).toEqual([null, null, completion]);
    expect(await read({ targetCompletionOn: '2027-01-29' })).toEqual([null, exchange, null]);
    expect(await read({}, { expectedFrom: '2027-01-11', expectedTo: '2027-01-22' })).toEqual([
      null,
      null,
      completion,
    ]);
    expect(await read({}, { status: 'done' })).toEqual([null, null, completion]);
  });

  test('returns no milestones to a client without a case', async () => {
    expect(
      await readMilestones({ today: '2026-11-23' }).forClient(
        stored.database,
        (await buildClient(stored.database)).id,
      ),
    ).toEqual([]);
  });

  test('reading milestones takes one statement however large the case is', async () => {
    const large = await buildCase(stored.database, {
      clients: [{}, {}],
      matters: Array.from({ length: 3 }, () => ({ searches: [{}, {}], documents: [{}, {}] })),
    });
    const done = await buildCase(stored.database, { matters: [{ milestones: [{ status: 'done' }] }] });
    const counted = countStatements(stored.url);
    const statements = (clientId: string) =>
      counted.countStatementsOf(() =>
        readMilestones({ today: '2026-11-23' }).forClient(counted.database, clientId),
      );
    expect([await statements(large.clientId), await statements(done.clientId)]).toEqual([1, 1]);
    await counted.close();
  });
});

describe('the waiting-for line of a step under way', () => {
  const named = [{ firstName: 'Amelia' }, { firstName: 'Tom' }];
  const jointCase = (key: string, more: Parameters<typeof buildCase>[1] & { matter?: object } = {}) => {
    const { matter, ...rest } = more;
    return buildCase(stored.database, {
      clients: named,
      matters: [{ milestones: [{ key, actor: 'you', status: 'current' }], ...matter }],
      ...rest,
    });
  };
  const waitingFor = async ({ clientIds }: { clientIds: string[] }) => {
    const read = await Promise.all(
      clientIds.map((id) => readMilestones({ today: '2026-11-23' }).forClient(stored.database, id)),
    );
    return read.map(([milestone]) => milestone?.waiting_for);
  };
  const sign = (documentId: string, clientId = '', position = 1) =>
    buildSignature(stored.database, { documentId, clientId, position });

  test('a payment for the last search moves the waiting-for line from You to Us for both clients', async () => {
    const built = await jointCase('searches_paid', { matter: { searches: [{ supplier: 'Wessex Water' }] } });
    expect(await waitingFor(built)).toEqual(['You, then Wessex Water', 'You, then Wessex Water']);
    await buildPayment(stored.database, {
      caseId: built.id,
      clientId: built.clientId,
      caseSearchId: built.caseSearchId,
      status: 'processing',
    });
    expect(await waitingFor(built)).toEqual(['Your bank', 'Your bank']);
    await stored.database.transaction((transaction) =>
      payableSearches.markPaid(transaction, built.caseSearchId, new Date('2026-11-20T12:00:00Z')),
    );
    expect(await waitingFor(built)).toEqual(['Us', 'Us']);
    const [milestone] = await readMilestones({ today: '2026-11-23' }).forClient(
      stored.database,
      built.clientId,
    );
    expect(milestone?.waiting_since).toBe('2026-11-20');
  });

  test('each signature moves the waiting-for line to the other client, then to Us', async () => {
    const built = await jointCase('documents_signed', { matter: { documents: [{ signing: 'simple' }] } });
    const [contract = ''] = built.matters[0]?.documentIds ?? [];
    expect(await waitingFor(built)).toEqual(['You and Tom', 'You and Amelia']);
    await sign(contract, built.clientIds[0]);
    expect(await waitingFor(built)).toEqual(['Tom', 'You']);
    await sign(contract, built.clientIds[1], 2);
    expect(await waitingFor(built)).toEqual(['Us', 'Us']);
  });

  test('only the latest version of a document has to be signed', async () => {
    const built = await jointCase('documents_signed', { matter: { documents: [{ signing: 'simple' }] } });
    const [draft = null] = built.matters[0]?.documentIds ?? [];
    await buildDocument(stored.database, { matterId: built.matterId, supersedesId: draft, signing: null });
    expect(await waitingFor(built)).toEqual(['You', 'You']);
  });

  test('a paper is outstanding until the firm has received it, or has closed its task', async () => {
    for (const close of ['receive', 'task'] as const) {
      const built = await jointCase('documents_signed', { matter: { documents: [{ signing: 'deed' }] } });
      const [documentId = null] = built.matters[0]?.documentIds ?? [];
      expect(await waitingFor(built)).toEqual(['Your signed papers', 'Your signed papers']);
      if (close === 'receive') {
        await stored.pool.query("update documents set received_on = '2026-11-20' where id = $1", [
          documentId,
        ]);
      } else {
        await buildTask(stored.database, {
          caseId: built.id,
          kind: 'sign_document',
          documentId,
          status: 'done',
        });
      }
      expect(await waitingFor(built)).toEqual(['Us', 'Us']);
    }
  });

  test('a report waits for each client who has been asked to read it and has not', async () => {
    const built = await jointCase('report_sent', { matter: { documents: [{ group: 'reports' }] } });
    const [documentId = ''] = built.matters[0]?.documentIds ?? [];
    await buildTask(stored.database, { caseId: built.id, kind: 'read_document', documentId, status: 'open' });
    expect(await waitingFor(built)).toEqual(['You and Tom', 'You and Amelia']);
    await stored.database.insert(documentReads).values({ documentId, clientId: built.clientIds[1] ?? '' });
    expect(await waitingFor(built)).toEqual(['You', 'Amelia']);
    const { rows } = await stored.pool.query(
      `select count(*)::int as events from broadcast_events where channel = $1 and event = 'TaskUpdated' and id =
         (select max(id) from broadcast_events)`,
      [`private-case.${built.id}`],
    );
    expect(rows).toEqual([{ events: 1 }]);
  });

  test('a payment under review is with the firm, even after it was cancelled', async () => {
    const built = await jointCase('searches_paid');
    await buildPayment(stored.database, {
      caseId: built.id,
      clientId: built.clientId,
      caseSearchId: built.caseSearchId,
      status: 'cancelled',
      reviewReason: 'paid_after_cancelling',
    });
    expect(await waitingFor(built)).toEqual(['Us', 'Us']);
  });
});
