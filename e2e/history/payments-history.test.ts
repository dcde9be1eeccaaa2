import { runSeed } from '@keyturn/testkit/random/run-seed.ts';
import { runLength, variants } from '@keyturn/testkit/run-length.ts';
import { expect, test } from 'vitest';
import { checkHistory } from './check/check-history.ts';
import { describeShares, describeViolations, summaryOf } from './describe-history.ts';
import { planRun, planRush } from './plan-run.ts';
import { runHistory } from './run-history.ts';
import { keepHistory } from './test-history.ts';

const seeds = runLength({ short: [runSeed], long: [7, runSeed] });

/** Each client signs in and makes a payment after the nemesis has finished, which takes most of a short run. */
const clients = runLength({ short: 6, long: 20 });

test.each(seeds)('a history of payments during crashes has no violations (seed %i)', async (seed) => {
  const history = await runHistory({ seed, operations: runLength({ short: 24, long: 400 }), clients });
  const violations = checkHistory(history);
  console.log(`seed ${seed}: ${summaryOf(history)}\n${describeShares(history)}`);
  if (violations.length > 0) {
    throw new Error(`${describeViolations(violations)}\nsaved in ${keepHistory(seed, history)}`);
  }
  const charges = history.flatMap((entry) => (entry.type === 'facts' ? entry.charges : []));
  // At least the payments that the clients make after the nemesis has finished.
  expect(charges.length, summaryOf(history)).toBeGreaterThanOrEqual(clients);
  expect(history.some(({ type }) => type === 'nemesis')).toBe(true);
});

const rushes: [string, boolean][] = [
  ['locks prevent a second charge', false],
  ['without the index and the lock, the checker finds the second charge', true],
];
test.each(variants(rushes, 1))(
  'eight owners pay the same searches at the same time: %s',
  async (_what, withoutGuards) => {
    const course = { clients: 8, searches: 4 };
    const run = { seed: 0, operations: 64, cases: 1, ...course, plan: planRush(course), withoutGuards };
    const history = await runHistory(run);
    const caught = checkHistory(history);
    if (!withoutGuards) return expect(caught).toEqual([]);
    const twice = caught.find(({ rule }) => rule === 'nothing is paid for twice');
    expect(twice, summaryOf(history)).toBeDefined();
    expect(twice?.entries.filter(({ type }) => type === 'invoke').length).toBeGreaterThan(1);
  },
  600_000,
);

test('planRun plans the same operations and nemesis actions for the same seed', () => {
  const run = { operations: 500, clients: 20 };
  expect(planRun({ seed: 5, ...run })).toEqual(planRun({ seed: 5, ...run }));
  expect(planRun({ seed: 5, ...run })).not.toEqual(planRun({ seed: 6, ...run }));
  const { clients, firm, bank } = planRun({ seed: 5, ...run });
  expect([...clients.flat(), ...firm, ...bank]).toHaveLength(500);
});
