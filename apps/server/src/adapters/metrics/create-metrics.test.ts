import { expect, test } from 'vitest';
import { createMetrics } from './create-metrics.ts';

test.each([[[]], [['state']]])(
  'metrics leave out a count that cannot be read, instead of reporting zero (labels %j)',
  async (labels) => {
    let isAway = false;
    const metrics = createMetrics({
      pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
      channel: () => ({ connections: 0, published: 0, network: { received: 0, redis: null } }),
      alertOperator: () => {},
      alertCounts: () => new Map(),
      counts: [
        {
          name: 'keyturn_counted',
          help: 'A count.',
          labels,
          count: async () => {
            if (isAway) throw new Error('the database does not answer');
            return [{ labels: Object.fromEntries(labels.map((label) => [label, 'waiting'])), value: 7 }];
          },
        },
      ],
    });
    expect(await metrics.text()).toMatch(/^keyturn_counted\S* 7$/m);
    isAway = true;
    expect(await metrics.text()).not.toMatch(/^keyturn_counted/m);
    isAway = false;
    expect(await metrics.text()).toMatch(/^keyturn_counted\S* 7$/m);
  },
);
