import { describe, expect, test } from 'vitest';
import {
  CellProblem,
  readDay,
  readFullName,
  readMatterType,
  readMilestone,
  readMoney,
  readPhone,
  readPostcode,
} from './read-cells.ts';

// cspell:ignore Trustram Incaa Bankole

describe('a date in a cell', () => {
  test.each([
    ['16/11/2026', '2026-11-16'],
    ['6/1/2027', '2027-01-06'],
    ['16.11.2026', '2026-11-16'],
    ['2026-11-16', '2026-11-16'],
    ['2026-11-16 00:00:00', '2026-11-16'],
  ])('a date in a cell: %s is %s', (text, day) => {
    expect(readDay(text, false)).toBe(day);
  });

  test.each([
    ['11/23/2026', /has the month first.*23\/11\/2026/],
    ['29/02/2026', /not a day of the calendar/],
    ['16/11/26', /year with four digits/],
    ['soon', /isn’t a date/],
    ['1/1/0001', /not a day of the calendar/],
  ])('the date %s in a cell is rejected with the reason', (text, message) => {
    expect(() => readDay(text, false)).toThrow(message);
  });

  test('an ambiguous date is rejected if another date in its column has the month first', () => {
    expect(() => readDay('03/04/2026', true)).toThrow(/is ambiguous/);
    expect(readDay('04/04/2026', true)).toBe('2026-04-04');
    expect(readDay('23/04/2026', true)).toBe('2026-04-23');
  });
});

describe('other cells', () => {
  test.each([
    ['£325,000.00', 32_500_000],
    ['325000', 32_500_000],
    ['325000.5', 32_500_050],
    ['£ 1,250,000', 125_000_000],
  ])('the cell %s is an amount', (text, pence) => {
    expect(readMoney(text)).toBe(pence);
  });

  test.each(['325.000,00', '32,50', '-5', '1e9', '£', '325k', '9999999999999', '=1+1'])(
    'the cell %s is not an amount',
    (text) => {
      expect(() => readMoney(text)).toThrow(CellProblem);
    },
  );

  test('a telephone number is read in whatever form a spreadsheet has left it', () => {
    for (const cell of [
      '1174960101',
      '1174960101.00',
      '441174960101',
      '+44 (0)117 496 0101',
      '0117 496 0101',
    ])
      expect(readPhone(cell), cell).toBe('+441174960101');
    expect(() => readPhone('4.41174E+11')).toThrow(/was shortened/);
    expect(() => readPhone('0117 496 0101 / 07700 900123')).toThrow(
      '“0117 496 0101 / 07700 900123” has more than one telephone number: give one',
    );
    expect(() => readPhone('n/a 1')).toThrow('“n/a 1” is not a telephone number');
  });

  test('postcodes are normalised', () => {
    expect(['ba1 2ab', 'BS11AA', 'W1A 0AX'].map(readPostcode)).toEqual(['BA1 2AB', 'BS1 1AA', 'W1A 0AX']);
    expect(() => readPostcode('12345')).toThrow(/isn’t a postcode/);
  });

  test('matter types and milestones are recognised by name', () => {
    expect(['Purchase', 'BUYING', 'Transfer of Equity'].map(readMatterType)).toEqual([
      'purchase',
      'purchase',
      'transfer-of-equity',
    ]);
    expect(() => readMatterType('constructor')).toThrow(/isn’t a matter type/);
    const step = {
      key: 'searches_ordered',
      title: 'Ordering searches',
      explanation: 'We order them.',
      actor: 'us' as const,
      usual_working_days: null,
      stage: 0,
      usual_weeks: null,
    };
    const path = { stages: [], steps: [step] };
    expect(readMilestone('ordering searches', path)).toBe('searches_ordered');
    expect(readMilestone('Searches_Ordered', path)).toBe('searches_ordered');
    expect(() => readMilestone('searches_ordered', { stages: [], steps: [] })).toThrow(
      /isn’t a milestone of this matter type/,
    );
  });

  test.each([
    ['Ms Ada Byrne', { title: 'Ms', first_name: 'Ada', last_name: 'Byrne' }],
    ['Mr. Tom  Lee Reilly', { title: 'Mr', first_name: 'Tom Lee', last_name: 'Reilly' }],
    ['O’Brien-Łukasiewicz, Zoë', { first_name: 'Zoë', last_name: 'O’Brien-Łukasiewicz' }],
    ['Mirna Roe', { first_name: 'Mirna', last_name: 'Roe' }],
  ])('the cell %s is split into first and last names', (text, name) => {
    expect(readFullName(text)).toEqual(name);
  });

  test.each([
    ['John and Mary Smith', /more than one person.*separate columns/],
    ['Mr & Mrs J Smith', /more than one person/],
    ['J Smith / M Jones', /more than one person/],
    ['John Smith (DECEASED)', /has died.*acts for them/],
    ['John Smith Dec’d', /has died/],
    ['Executors of Mary Jones', /capacity/],
    ['Ann Lee as attorney for Bo Lee', /capacity/],
    ['Mill Lane Developments Ltd', /organisation.*acts for it/],
    ['Bath City Council', /organisation/],
  ])('the cell %s for one person is rejected with what to do', (text, message) => {
    expect(() => readFullName(text)).toThrow(message);
  });

  test.each(['Ms Anderson Plummer', 'Andy Sandford', 'Dr Dean Trustram', 'Incaa Bankole'])(
    '%s is the name of one person',
    (text) => expect(readFullName(text).last_name).not.toBe(''),
  );

  test('a name of one word is rejected', () => {
    expect(() => readFullName('Mr Byrne')).toThrow(/first and a last name/);
  });
});
