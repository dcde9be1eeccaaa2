import { vatCodes } from '@keyturn/contract';
import { vatOf } from '@keyturn/format/vat';
import { expect, test } from 'vitest';
import { billPapers } from './bills.ts';
import { createCalendar, sourceToday } from './calendar.ts';
import { firm } from './firm.ts';
import { letters } from './letters.ts';
import { demonstrationFeed } from './make-demonstration.ts';
import { okaforPapers } from './okafor-papers.ts';
import type { Letter } from './render-letter.ts';
import { whitcombePapers } from './whitcombe-papers.ts';

const feed = demonstrationFeed(createCalendar(sourceToday));
const papers: Record<string, Letter> = {
  ...Object.fromEntries(Object.entries(letters).map(([name, letter]) => [name.replace('.pdf', ''), letter])),
  ...Object.fromEntries(
    [...okaforPapers, ...whitcombePapers, ...billPapers].flatMap(({ name, content }) =>
      content === 'picture' ? [] : [[name, content]],
    ),
  ),
};
const paper = (name: string): Letter => papers[name] ?? expect.fail(`there is no ${name}`);
const textOf = (name: string) => JSON.stringify(paper(name));

/** Reads "£1,447.20" as 144720. */
const penceOf = (text = '') =>
  /^-?£[\d,]+\.\d\d$/.test(text) ? Number(text.replaceAll(/[£,.]/g, '')) : Number.NaN;
const rowsOf = (name: string): [string, number][] =>
  paper(name).sections.flatMap(({ table = [] }) =>
    table.map(([what = '', sum]): [string, number] => [what, penceOf(sum)]),
  );
const amountOf = (name: string, what: string) =>
  rowsOf(name).find(([row]) => row.startsWith(what))?.[1] ?? expect.fail(`${name} has no ${what}`);
const billOf = (number: string) => {
  const { lines = [], paid } = feed.bills.find((bill) => bill.number === number) ?? expect.fail();
  const gross = ({ net, vat_code }: (typeof lines)[number]) => net + vatOf(net, vatCodes[vat_code].rate);
  return { gross: lines.reduce((sum, line) => sum + gross(line), 0), paid };
};

test('each total in the papers of the demonstration is the sum of the lines above it', () => {
  const isTotal = (what: string) => /^(Total|Deposit for The Old Chapel|Towards The Old Chapel)/.test(what);
  const wrong: string[] = [];
  let totals = 0;
  for (const [name, { sections }] of Object.entries(papers)) {
    for (const { table = [] } of sections) {
      let sum = 0;
      for (const [what = '', amount] of table) {
        if (!isTotal(what)) sum += penceOf(amount);
        else {
          if (sum !== penceOf(amount)) wrong.push(`${name}: ${what}`);
          totals += 1;
          sum = 0;
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(totals).toBeGreaterThan(10);
});

test('the quotation, bill and completion statement of George’s sale agree with each other, his contract and his history', () => {
  const statement = 'whitcombe-completion-statement';
  const bill = billOf('25187-1');
  expect(amountOf('whitcombe-sale-terms', 'Total')).toBe(bill.gross);
  expect(bill.paid).toBe(bill.gross);
  expect(amountOf(statement, 'Our bill 25187-1')).toBe(bill.gross);
  const balance = amountOf(statement, 'To the account');
  expect(amountOf(statement, 'Total in') - amountOf(statement, 'Total out')).toBe(balance);
  const history = feed.history.map(({ summary }) => summary).join(' ');
  const sent = /sent (£[\d,.]+\d) to the account/.exec(history)?.[1];
  expect(penceOf(sent)).toBe(balance);
  const price = feed.matters.find(({ completed_on }) => completed_on)?.property.price;
  expect(amountOf(statement, 'Total in')).toBe(price);
  const fact = (name: string) =>
    penceOf(paper('whitcombe-contract-2').facts.find(([each]) => each === name)?.[1]);
  expect([amountOf(statement, 'Deposit'), amountOf(statement, 'Balance')]).toEqual([
    fact('Deposit'),
    fact('Balance'),
  ]);
});

test('each bill of the demonstration has a document on our letterhead with our VAT number, its lines, VAT and total to the penny', () => {
  expect(feed.bills).toHaveLength(4);
  for (const { number, document, lines = [] } of feed.bills) {
    const found = feed.documents.find(({ reference }) => reference === document);
    expect(found).toMatchObject({ title: `Bill ${number}`, group: 'money' });
    const name = `bill-${number}`;
    expect(paper(name).facts).toContainEqual(['VAT number', firm.vat_number]);
    expect(paper(name).letterhead).toBeUndefined();
    for (const { description, net } of lines) expect(amountOf(name, description)).toBe(net);
    const vat = lines.reduce((sum, line) => sum + vatOf(line.net, vatCodes[line.vat_code].rate), 0);
    expect(amountOf(name, 'VAT at 20%')).toBe(vat);
    expect(rowsOf(name).find(([what]) => what === 'Total')?.[1]).toBe(billOf(number).gross);
  }
});

test('one bill of the demonstration has client money next to the firm’s own, and says so', () => {
  const mixed = feed.bills.filter(({ lines = [] }) => new Set(lines.map(({ money }) => money)).size === 2);
  expect(mixed.map(({ number }) => number)).toEqual(['26437-0']);
  expect(textOf('bill-26437-0')).toContain('client money');
});

test('the two bills of George’s remortgage are the fee of its quotation', () => {
  const terms = 'whitcombe-remortgage-terms';
  expect(billOf('26398-0').gross + billOf('26398-1').gross).toBe(
    amountOf(terms, 'Our fee') + amountOf(terms, 'VAT'),
  );
});

test('what Amelia and Tom estimate, quote, pay and own agrees across their papers', () => {
  const searches = feed.searches.filter(({ matter }) => matter === 'KT-2026-00421-P');
  const gross = ({ price }: (typeof searches)[number]) => (price.net * (100 + price.vat_rate)) / 100;
  const costOfSearches = searches.reduce((sum, search) => sum + gross(search), 0);
  const [, from, to] = /usually (£[\d.]+) to (£[\d.]+\d) in total/.exec(textOf('okafor-terms')) ?? [];
  expect(costOfSearches).toBeGreaterThan(penceOf(from));
  expect(costOfSearches).toBeLessThan(penceOf(to));
  const paid = searches
    .filter(({ status }) => status === 'reviewed')
    .reduce((sum, each) => sum + gross(each), 0);
  const [payment] = feed.history.flatMap(({ summary }) => /Tom paid (£[\d.]+\d)/.exec(summary)?.[1] ?? []);
  expect(penceOf(payment)).toBe(paid);

  const estimate = 'okafor-sale-estimate';
  expect(-amountOf(estimate, 'Our costs')).toBe(amountOf('okafor-terms', 'Total for your sale'));
  expect(amountOf('okafor-funds', 'From the sale')).toBe(amountOf(estimate, 'Towards The Old Chapel'));
  expect(amountOf('okafor-funds', 'Our fees')).toBe(
    amountOf('okafor-terms', 'Total for your purchase') + costOfSearches,
  );
  expect(amountOf('okafor-funds', 'Stamp Duty')).toBe(amountOf('okafor-terms', 'Stamp Duty'));
  // Nothing to £125,000, 2% to £250,000 and 5% above.
  expect(amountOf('okafor-funds', 'Stamp Duty')).toBe(125_000 * 2 + 270_000 * 5);
  const [money, needs] = rowsOf('okafor-funds').filter(([what]) => what === 'Total');
  expect(money?.[1]).toBe(needs?.[1]);
  expect(amountOf('okafor-funds', 'Left over')).toBeGreaterThan(0);
});

test('the declaration of trust divides The Old Chapel as the money put in, and is dated on completion', () => {
  const declaration = 'okafor-declaration-of-trust';
  const [amelia, tom] = [amountOf(declaration, 'Amelia'), amountOf(declaration, 'Tom')];
  expect(amelia + tom).toBe(
    amountOf('okafor-funds', 'From the sale') + amountOf('okafor-funds', 'Amelia Okafor’s savings'),
  );
  const shares = [amelia, tom].map((put) => `${((100 * put) / (amelia + tom)).toFixed(1)}%`);
  expect(shares).toEqual(['57.7%', '42.3%']);
  for (const share of shares) expect(textOf(declaration)).toContain(share);
  expect(paper(declaration).facts.find(([name]) => name === 'Date')?.[1]).toContain('on completion');
  expect(okaforPapers.find(({ name }) => name === declaration)?.binds_on).toBe('completion');
});

test('whatever speaks of the deposit for The Old Chapel says where all of it comes from and who holds it', () => {
  const sources = ['£52,000.00', '£38,500.00', '£13,500.00', 'savings'];
  const step = feed.matters
    .flatMap(({ milestones }) => milestones)
    .find((each) => each.key === 'deposit_received' && each.explanation);
  const task = feed.tasks.find(({ document }) => document === 'D-2003');
  const texts = [
    textOf('okafor-funds'),
    textOf('okafor-sale-estimate'),
    textOf('okafor-mortgage-illustration'),
    step?.explanation,
    task?.explanation,
  ];
  for (const text of texts) for (const source of sources) expect(text).toContain(source);
  for (const name of ['okafor-funds', 'okafor-sale-estimate', 'okafor-purchase-contract-2'])
    expect(textOf(name)).toMatch(/hold(s all of it|s? the whole deposit)? as stakeholder/);
  expect(textOf('okafor-sale-contract')).toContain(
    'Under condition 2.2.5 the seller may use all of the deposit',
  );
});
