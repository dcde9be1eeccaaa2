import { describe, expect, test } from 'vitest';
import { milestonePaths } from './milestone-paths.ts';

/** What is true only once a step is done, or only on the day itself. */
const ofOneMoment =
  /\b(?:now|today|has|have) (?:\w+ )?(?:sent|asked|reached|called|bound|legally)\b|\b(?:is|are) (?:here|back|now)\b/;

describe('the words of a step', () => {
  // A case begins with its first step done.
  const steps = Object.entries(milestonePaths).flatMap(([matterType, { milestones }]) =>
    milestones.filter(({ key }) => key !== 'instructed').map((step) => ({ matterType, ...step })),
  );

  test.each(steps)('are true before it, in it and after it: $matterType, $key', ({ explanation }) => {
    expect(explanation).not.toMatch(ofOneMoment);
  });

  test.each([
    'You are now legally bound and the moving date is fixed.',
    'The money has reached the seller.',
    "The buyer's money is here.",
    'All the answers are back, and we are reading them.',
    'Your lender has sent us its formal offer.',
  ])('would not be: %s', (explanation) => {
    expect(explanation).toMatch(ofOneMoment);
  });
});
