import { matterFeatures, matterTypes } from '@keyturn/contract';
import { withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { readFirmData } from '../platform/firm-data/firm-data.ts';
import { checkMilestonePath } from './check-values.ts';

const stored = withTestDatabase();
const shippedPath = async (matterType: (typeof matterTypes)[number]) =>
  (await readFirmData(stored.database, `milestone_path/${matterType}`)).value;

/** Matches text that is only true once a step is done, or only on the day itself. */
const trueAtOneTime =
  /\b(?:now|today|has|have) (?:\w+ )?(?:sent|asked|reached|called|bound|legally)\b|\b(?:is|are) (?:here|back|now)\b/;

/** Matches a title that is only true once a step is done. */
const finishedTitle =
  /\b(?:opened|checked|paid|received|ordered|sent|answered|signed|exchanged|completed|filed|registered|obtained|agreed|repaid|closed|requested|drafted)\b/i;

test.each(matterTypes)('the shipped path of a %s is one that the desk would accept', async (matterType) => {
  const path = await shippedPath(matterType);
  expect(checkMilestonePath(matterType, path, '2026-11-30')).toBe(path);
});

test.each(matterTypes)(
  'the shipped path of a %s has figures of November 2026, and names no month in its words',
  async (matterType) => {
    const { figures_of, steps } = await shippedPath(matterType);
    expect(figures_of).toBe('2026-11-01');
    expect(steps.filter(({ explanation }) => /figures|november/i.test(explanation))).toEqual([]);
  },
);

test.each(matterTypes)(
  'the shipped path of a %s has words that are true before, during and after each step',
  async (matterType) => {
    const { stages, steps } = await shippedPath(matterType);
    // A case starts with its first step done.
    const explanations = steps.filter(({ key }) => key !== 'instructed').map((step) => step.explanation);
    expect(explanations.filter((explanation) => trueAtOneTime.test(explanation))).toEqual([]);
    const titles = [...stages, ...steps].map(({ title }) => title);
    expect(titles.filter((title) => finishedTitle.test(title))).toEqual([]);
  },
);

test('the shipped paths have a step for each feature of a matter', async () => {
  const paths = await Promise.all(matterTypes.map(shippedPath));
  const used = paths.flatMap(({ steps }) => steps.flatMap(({ features = [] }) => features));
  expect(matterFeatures.filter((feature) => !used.includes(feature))).toEqual([]);
});

test.each([
  'You are now legally bound and the moving date is fixed.',
  'The money has reached the seller.',
  "The buyer's money is here.",
  'All the answers are back, and we are reading them.',
  'Your lender has sent us its formal offer.',
])('recognises an explanation that is only true at one time: %s', (explanation) => {
  expect(explanation).toMatch(trueAtOneTime);
});
