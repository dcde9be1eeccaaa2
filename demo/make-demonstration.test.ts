import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentGroups } from '@keyturn/contract';
import { readPdf } from '@keyturn/pdf/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billPapers } from './bills.ts';
import { createCalendar } from './calendar.ts';
import { letters } from './letters.ts';
import { demonstrationFeed, makeDemonstration } from './make-demonstration.ts';
import { okaforPapers } from './okafor-papers.ts';
import { type Letter, renderLetter } from './render-letter.ts';
import { whitcombePapers } from './whitcombe-papers.ts';
import { addWorkingDays, isWorkingDay } from './working-days.ts';

type Feed = ReturnType<typeof demonstrationFeed>;
const feedLoadedOn = (day: string) => demonstrationFeed(createCalendar(day));
/** The case of which a day has passed: Today of the firm’s staff shows it. */
const lateCase = 'KT-2026-00437';
/** Without those of the late case. */
const promisesOf = ({ matters: allMatters, tasks: allTasks }: Feed) => {
  const matters = allMatters.filter((matter) => matter.case !== lateCase);
  const tasks = allTasks.filter((task) => task.case !== lateCase);
  return [
    ...matters.flatMap(({ milestones }) =>
      milestones.flatMap(({ next_update_by, expected_to }) => [next_update_by, expected_to]),
    ),
    ...matters.flatMap(({ target_exchange_on, target_completion_on }) => [
      target_exchange_on,
      target_completion_on,
    ]),
    ...tasks.map(({ due_on }) => due_on),
  ];
};
const instantsOf = (feed: Feed) => JSON.stringify(feed).match(/\d{4}-\d\d-\d\dT[\d:]+Z/g) ?? [];

describe.each([
  ['a working day', '2026-11-24'],
  ['a Sunday', '2026-11-22'],
  ['Christmas', '2027-12-25'],
  ['Easter Monday', '2027-03-29'],
  ['a day in summer', '2028-07-12'],
])('the demonstration firm, loaded on %s', (_, loadedOn) => {
  const feed = feedLoadedOn(loadedOn);

  test('the demonstration promises nothing on a weekend, on a bank holiday or before the day of loading', () => {
    const days = promisesOf(feed).filter((day) => day !== undefined);
    expect(days.length).toBeGreaterThan(20);
    expect(days.filter((day) => !isWorkingDay(day) || day < loadedOn)).toEqual([]);
  });

  test('the demonstration has a promise, a task and a bill that are late, and a promise for the day of loading', () => {
    const promised = feed.matters.flatMap(({ milestones }) =>
      milestones.flatMap(({ status, next_update_by }) =>
        status === 'current' && next_update_by ? next_update_by : [],
      ),
    );
    const due = addWorkingDays(addWorkingDays(loadedOn, -1), 1);
    expect(promised.filter((day) => day < loadedOn)).toHaveLength(1);
    expect(promised.filter((day) => day === due)).toHaveLength(1);
    expect(
      feed.tasks.filter((task) => task.status === 'open' && (task.due_on ?? '') < loadedOn),
    ).toHaveLength(1);
    expect(
      feed.bills.filter((bill) => 'due_on' in bill && bill.due_on !== undefined && bill.due_on < loadedOn),
    ).toHaveLength(2);
  });

  test('the demonstration has no entry that is later than the day before loading', () => {
    const instants = instantsOf(feed);
    expect(instants.length).toBeGreaterThan(500);
    expect(instants.filter((instant) => instant >= loadedOn)).toEqual([]);
  });

  test('the demonstration names moved days in texts', () => {
    const completed = feed.matters.find(({ completed_on }) => completed_on)?.completed_on ?? '';
    const [agreed] = feed.history.filter(({ summary }) => summary.startsWith('Everyone in the chain agreed'));
    expect(agreed?.summary).toContain(String(Number(completed.slice(-2))));
    expect(JSON.stringify(feed)).not.toMatch(/\{\w+ ?\d{4}-/);
  });
});

describe('the documents of the demonstration firm', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keyturn-demo-'));
    await makeDemonstration({ folder, sources: import.meta.dirname, loadedOn: '2028-07-12' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('letters of the demonstration have the day they were shared, and moved days in their text', async () => {
    const text = async (name: string) =>
      JSON.stringify((await readPdf(readFileSync(join(folder, 'documents', name)))).pages);
    expect(await text('raman-terms.pdf')).toContain('10 July 2028');
    expect(await text('okafor-funds.pdf')).toMatch(/checked in person on\D+\d+ \w+ 2028/);
  });

  test('papers of the demonstration are on the letterhead of their author, and a law firm’s names its regulator', async () => {
    const authors: Record<string, string> = {};
    for (const { file } of feedLoadedOn('2028-07-12').documents.filter(({ file }) => file.endsWith('.pdf'))) {
      const { author, pages } = await readPdf(readFileSync(join(folder, file)));
      const isOurs = pages.every((text) => text.includes('2 Tollgate House, Redcliffe Parade'));
      if (isOurs) expect(pages.join(' '), file).toContain('Authorised and regulated by the Solicitors');
      else authors[file.replace(/documents\/|\.pdf/g, '')] = author;
      if (author.includes('MARSH')) expect(pages.join(' '), file).toContain('regulated by the Solicitors');
    }
    expect(authors).toEqual({
      'okafor-environmental': 'Terrain Data',
      'okafor-consent': 'MENDIP DISTRICT COUNCIL',
      'okafor-purchase-contract-1': 'QUILL & MARSH',
      'okafor-purchase-contract-2': 'QUILL & MARSH',
      'okafor-survey': 'Nunney Surveys',
      'okafor-property-answers': 'Amelia and Tom Okafor',
      'okafor-fittings-1': 'Amelia and Tom Okafor',
      'okafor-fittings-2': 'Amelia and Tom Okafor',
      'okafor-windows': 'Bear Flat Glazing',
      'okafor-neighbours': 'Siobhán O’Brien',
      'okafor-redemption': 'Avon Vale Building Society',
      // Forms have no letterhead.
      'okafor-transfer': 'Alder & Finch',
      'whitcombe-proof-of-repayment': 'Avon Vale Building Society',
      'whitcombe-property-answers': 'George Whitcombe',
      'whitcombe-wiring': 'Kenn Electrical',
      'whitcombe-boiler': 'Yeo Heating',
      'whitcombe-redemption': 'Avon Vale Building Society',
      'whitcombe-transfer': 'Alder & Finch',
    });
  });

  test('a letter of the demonstration has the same bytes for the same content and day', async () => {
    const render = async () =>
      (await renderLetter(letters['raman-terms.pdf'] as Letter, new Date(0))).content;
    expect((await render()).equals(await render())).toBe(true);
  });

  test('letters of the demonstration name no recent day that does not move with the others', () => {
    const written = JSON.stringify([
      letters,
      okaforPapers.map(({ content }) => content),
      whitcombePapers.map(({ content }) => content),
      billPapers.map(({ content }) => content),
    ]);
    const fixed = written
      .replaceAll(/\{(?:\w+day )?[\d-]+\}|KT-\d{4}/g, '')
      .match(
        /\b(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) (?:202[5-9]\b|(?!\d))|\b202[5-9]\b/g,
      );
    expect(fixed ?? []).toEqual([]);
  });

  test('the demonstration has documents for every document screen', () => {
    const { documents, matters } = feedLoadedOn('2026-11-24');
    const of = (matter: string) => documents.filter((document) => document.matter === matter);
    const groups = (matter: string) => new Set(of(matter).map(({ group }) => group));
    for (const matter of ['KT-2026-00421-P', 'KT-2026-00421-S']) {
      expect(groups(matter).size).toBeGreaterThanOrEqual(6);
      expect(of(matter).filter(({ file }) => file.endsWith('.png'))).toHaveLength(1);
      expect(of(matter).filter((document) => 'supersedes' in document)).toHaveLength(1);
      expect(of(matter).some((document) => 'signing' in document && document.signing === 'simple')).toBe(
        true,
      );
    }
    expect(
      of('KT-2026-00421-S').filter((document) => 'signing' in document && document.signing === 'deed'),
    ).toHaveLength(1);
    expect(groups('KT-2025-00187-S').size).toBeGreaterThan(documentGroups.length / 2);
    expect(groups('KT-2026-00455-P')).toEqual(new Set(['client-care']));
    expect(matters).toHaveLength(7);
  });
});
