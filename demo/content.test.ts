import { expect, test } from 'vitest';
import { billPapers } from './bills.ts';
import { createCalendar, sourceToday } from './calendar.ts';
import { letters } from './letters.ts';
import { demonstrationFeed } from './make-demonstration.ts';
import { okafor } from './okafor.ts';
import { okaforPapers } from './okafor-papers.ts';
import type { Letter } from './render-letter.ts';
import { whitcombePapers } from './whitcombe-papers.ts';

const feed = demonstrationFeed(createCalendar(sourceToday));
const allLetters: Letter[] = [
  ...Object.values(letters),
  ...[...okaforPapers, ...whitcombePapers, ...billPapers].flatMap(({ content }) =>
    content === 'picture' ? [] : content,
  ),
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

test('each client-care letter of the demonstration names the handler, and says what it costs and how to complain', () => {
  const terms = allLetters.filter(({ title }) => title === 'Our terms and costs');
  expect(terms).toHaveLength(4);
  const status = Object.fromEntries(
    feed.cases.flatMap(({ handlers }) => handlers.map(({ name, role }) => [name, role.toLowerCase()])),
  );
  for (const letter of terms) {
    const text = JSON.stringify(letter.sections);
    const [, handler = '', role] = /"(\w+ \w+), ([a-z ]+), will look after your case/.exec(text) ?? [];
    expect(role).toBe(status[handler]);
    for (const words of [
      'Daniel Finch',
      'usually takes',
      '"Total',
      'tell you the new price and the reason',
      'We pay you interest',
      'at most £500 to a charity',
      'If someone else is paying for you',
      'Dana Price, director, who deals with complaints',
      'final response within eight weeks',
      'within six months of our final response, and within one year',
      'Authorised and regulated by the Solicitors Regulation Authority',
      'professional indemnity insurer',
    ])
      expect(text).toContain(words);
    if (/purchase/.test(text)) expect(text).toContain('You pay for property searches separately');
  }
});

test('clients of the demonstration who may cancel have the notice of it with the model form, and others read why not', () => {
  const formOf = ({ sections }: Letter) => sections.find(({ heading }) => heading === 'Cancellation form');
  const withForm = allLetters.filter(formOf);
  expect(withForm.map(({ title }) => title)).toEqual([
    'Your right to cancel',
    'Our terms and costs',
    'Our terms and costs',
  ]);
  for (const letter of withForm) {
    expect(JSON.stringify(letter.sections)).toContain('reimburse to you all payments received from you');
    expect(JSON.stringify(formOf(letter))).toContain(
      'I/We* hereby give notice that I/We* cancel my/our* contract',
    );
    expect(formOf(letter)?.lines).toHaveLength(5);
  }
  expect(JSON.stringify(letters['raman-terms.pdf'])).toContain('You signed our terms at our office');
  const notice = JSON.stringify(letters['okafor-cancellation.pdf']);
  const [ownCase] = okafor.cases;
  expect(notice).toContain(`{Friday ${ownCase?.cancellation_ends_on}}`);
});

test('the demonstration has a search to pay, by clients who can sign in, for each wording of the request to order', () => {
  const signingIn = new Set(feed.clients.flatMap(({ reference, password }) => (password ? [reference] : [])));
  const payable = feed.tasks.flatMap(({ kind, case: caseReference, ...task }) => {
    const search =
      'search' in task ? feed.searches.find(({ reference }) => reference === task.search) : undefined;
    return kind === 'pay_search' && search?.status === 'awaiting_payment' ? [caseReference] : [];
  });
  const cancellations = feed.cases
    .filter(
      ({ reference, clients }) => payable.includes(reference) && clients.every((each) => signingIn.has(each)),
    )
    .map(({ cancellation }) => cancellation);
  expect(cancellations.toSorted()).toEqual(['ends_on', 'none', 'unknown']);
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
