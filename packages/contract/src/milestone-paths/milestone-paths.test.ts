import { expect, test } from 'vitest';
import { milestonePaths } from './milestone-paths.ts';

/** Matches text that is only true once a step is done, or only on the day itself. */
const trueAtOneTime =
  /\b(?:now|today|has|have) (?:\w+ )?(?:sent|asked|reached|called|bound|legally)\b|\b(?:is|are) (?:here|back|now)\b/;

/** Matches a title that is only true once a step is done. */
const finishedTitle =
  /\b(?:opened|checked|paid|received|ordered|sent|answered|signed|exchanged|completed|filed|registered|obtained|agreed|repaid|closed|requested|drafted)\b/i;

const paths = Object.entries(milestonePaths);
// A case starts with its first step done.
const steps = paths.flatMap(([matterType, { milestones }]) =>
  milestones.filter(({ key }) => key !== 'instructed').map((step) => ({ matterType, ...step })),
);

test.each(steps)(
  'explains the $matterType step $key in words that are true before, during and after it',
  ({ explanation }) => {
    expect(explanation).not.toMatch(trueAtOneTime);
  },
);

test.each([
  'You are now legally bound and the moving date is fixed.',
  'The money has reached the seller.',
  "The buyer's money is here.",
  'All the answers are back, and we are reading them.',
  'Your lender has sent us its formal offer.',
])('recognises an explanation that is only true at one time: %s', (explanation) => {
  expect(explanation).toMatch(trueAtOneTime);
});

test.each(paths)('gives every stage and step of a %s a title that is true before it is done', (_, path) => {
  const titles = [...path.stages, ...path.milestones].map(({ title }) => title);
  expect(titles.filter((title) => finishedTitle.test(title))).toEqual([]);
});
