import { expect, test } from 'vitest';
import { createCalendar, sourceToday } from './calendar.ts';
import { letters } from './letters.ts';
import { demonstrationFeed } from './make-demonstration.ts';
import { okaforPapers } from './okafor-papers.ts';
import type { Letter } from './render-letter.ts';
import { whitcombePapers } from './whitcombe-papers.ts';

const feed = demonstrationFeed(createCalendar(sourceToday));
const allLetters: Letter[] = [
  ...Object.values(letters),
  ...[...okaforPapers, ...whitcombePapers].flatMap(({ content }) => (content === 'picture' ? [] : content)),
];

test('the demonstration shares no summary of a mortgage offer before the offer has arrived', () => {
  const withoutOffer = feed.matters.filter(({ milestones }) =>
    milestones.some(({ key, status }) => key === 'mortgage_offer_received' && status !== 'done'),
  );
  expect(withoutOffer).not.toEqual([]);
  for (const { reference, case: caseReference } of withoutOffer) {
    const titles = feed.documents.filter(({ matter }) => matter === reference).map(({ title }) => title);
    const summaries = feed.history
      .filter((entry) => entry.case === caseReference)
      .map(({ summary }) => summary);
    expect([...titles, ...summaries].filter((text) => /summary of .*mortgage offer/i.test(text))).toEqual([]);
  }
});

test('the contracts of the demonstration leave the days of exchange and completion open', () => {
  const contracts = allLetters.filter(({ title }) => /contract/i.test(title));
  const days = contracts.flatMap(({ facts }) =>
    facts.filter(([name]) => name === 'Date' || name === 'Completion'),
  );
  expect(days.length).toBeGreaterThan(3);
  expect(days.filter(([, day]) => !day.includes('on exchange'))).toEqual([]);
});

test('the terms for each purchase include Stamp Duty Land Tax and HM Land Registry’s fee', () => {
  const terms = allLetters.filter(
    (letter) => letter.title === 'Our terms and costs' && /purchase/.test(JSON.stringify(letter.sections[0])),
  );
  expect(terms).toHaveLength(2);
  for (const { sections } of terms) {
    const costs = sections.flatMap(({ table = [] }) => table.map(([name]) => name));
    for (const cost of ['Stamp Duty Land Tax', 'HM Land Registry'])
      expect(costs).toContainEqual(expect.stringMatching(new RegExp(`^${cost}`)));
  }
});

test('the demonstration leaves whom a search waits for to Keyturn, which names its supplier', () => {
  const steps = feed.matters.flatMap(({ milestones }) =>
    milestones.filter(({ key, status }) => key.startsWith('searches') && status === 'current'),
  );
  expect(steps.length).toBeGreaterThan(1);
  expect(steps.filter((step) => step.waiting_for !== undefined)).toEqual([]);
});

test('the letters of the demonstration have only characters that the standard fonts of PDF have', () => {
  const letterTexts = JSON.stringify(allLetters);
  expect(letterTexts.match(/[^\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu)).toBeNull();
});
