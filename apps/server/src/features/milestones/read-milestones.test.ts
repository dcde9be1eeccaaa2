import { buildCase, buildClient, countStatements, withTestDatabase } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
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
    const found = await readMilestones(stored.database, clientId);
    expect(found.map((milestone) => milestone.key)).toEqual(['a', 'b', 'c', 'd']);
    const [second, first] = built.matters.map((matter) => matter.id);
    expect(found.map((milestone) => milestone.matter_id)).toEqual([first, first, second, second]);
  });

  test('returns every field of the contract', async () => {
    const { clientId, matterId } = await buildCase(stored.database, {
      matters: [
        {
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
              nextUpdateBy: '2026-10-25',
              position: 9,
            },
          ],
        },
      ],
    });
    expect(await readMilestones(stored.database, clientId)).toEqual([
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
        waiting_since: '2026-03-01',
        usual_working_days: { from: 10, to: 25 },
        next_update_by: '2026-10-25',
        position: 9,
      },
    ]);
  });

  test('returns null for unknown dates and durations', async () => {
    const { clientId } = await buildCase(stored.database, { matters: [{ milestones: [{}] }] });
    expect(await readMilestones(stored.database, clientId)).toMatchObject([
      {
        waiting_for: null,
        reached_on: null,
        expected_from: null,
        expected_to: null,
        waiting_since: null,
        usual_working_days: null,
        next_update_by: null,
      },
    ]);
  });

  test('returns no milestones to a client without a case', async () => {
    expect(await readMilestones(stored.database, (await buildClient(stored.database)).id)).toEqual([]);
  });

  test('takes two statements', async () => {
    const { clientId } = await buildCase(stored.database, { matters: [{}, {}, {}] });
    const counted = countStatements(stored.url);
    expect(await counted.countStatementsOf(() => readMilestones(counted.database, clientId))).toBe(2);
    await counted.close();
  });
});
