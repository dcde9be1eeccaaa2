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

const contracts = allLetters.filter(({ title }) => /\bcontract\b/i.test(title) && !/pack/.test(title));
const factOf = ({ facts }: Letter, name: string) => facts.find(([fact]) => fact === name)?.[1] ?? '';

test('the contracts of the demonstration leave the days of exchange and completion open until exchange', () => {
  expect(contracts).toHaveLength(5);
  const isExchanged = (letter: Letter) => letter.title === 'Contract, the buyers’ part';
  for (const letter of contracts) {
    const days = [factOf(letter, 'Date'), factOf(letter, 'Completion date')];
    const open = ['to be filled in on exchange', 'to be filled in on exchange'];
    expect(days).toEqual(isExchanged(letter) ? ['{2026-06-12}', '{2026-06-26}'] : open);
  }
});

test('the contracts of the demonstration incorporate the Standard Conditions of Sale and have all particulars', () => {
  const particulars = ['Seller', 'Buyer', 'Property', 'Title number', 'Title guarantee', 'Contract rate'];
  const penceOf = (letter: Letter, name: string) =>
    Number(factOf(letter, name).replaceAll(/[£,.]/g, '')) || Number.NaN;
  for (const letter of contracts) {
    const text = JSON.stringify(letter.sections);
    expect(text).toContain('incorporates the Standard Conditions of Sale (5th edition, 2018 revision)');
    expect(text).toContain('stakeholder');
    expect(particulars.filter((name) => factOf(letter, name) === '')).toEqual([]);
    expect(factOf(letter, 'Contents price')).not.toBe('');
    expect(penceOf(letter, 'Deposit')).toBe(penceOf(letter, 'Purchase price') / 10);
    expect(penceOf(letter, 'Balance')).toBe(penceOf(letter, 'Purchase price') - penceOf(letter, 'Deposit'));
  }
});

test('the transfers of the demonstration have the twelve panels of form TR1, and are signed as deeds', () => {
  const transfers = allLetters.filter(({ title }) => title.startsWith('Transfer of'));
  expect(transfers).toHaveLength(2);
  for (const { sections, isDeed, signatures, letterhead } of transfers) {
    const panels = sections.filter(({ panel }) => panel !== undefined);
    expect(panels.map(({ panel, heading = '' }) => `${panel} ${heading.replace(/[ .].*/, '')}`)).toEqual([
      '1 Title',
      '2 Property',
      '3 Date',
      '4 Transferor',
      '5 Transferee',
      '6 Transferee’s',
      '7 The',
      '8 Consideration',
      '9 The',
      '10 Declaration',
      '11 Additional',
      '12 Execution',
    ]);
    expect(panels[6]?.heading).toBe('The transferor transfers the Property to the transferee');
    expect([isDeed, letterhead]).toEqual([true, null]);
    // Panel 10 declares a trust, so the buyers sign too.
    expect(signatures?.length).toBeGreaterThan(2);
  }
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
