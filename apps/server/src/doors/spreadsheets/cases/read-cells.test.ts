import { describe, expect, test } from 'vitest';
import {
  CellProblem,
  readDay,
  readMatterType,
  readMilestone,
  readMoney,
  readPhone,
  readPostcode,
} from './read-cells.ts';
import { readDividedName, readFullName } from './read-person-name.ts';

// cspell:ignore Trustram Incaa Bankole

describe('a date in a cell', () => {
  test.each([
    ['16/11/2026', '2026-11-16'],
    ['6/1/2027', '2027-01-06'],
    ['16.11.2026', '2026-11-16'],
    ['2026-11-16', '2026-11-16'],
    ['2026-11-16 00:00:00', '2026-11-16'],
    ['27 Nov 2026', '2026-11-27'],
    ['27-Nov-2026', '2026-11-27'],
    ['27th November 2026', '2026-11-27'],
    ['1st Sept 2026', '2026-09-01'],
    ['Friday, 27 November 2026', '2026-11-27'],
    ['Nov 27, 2026', '2026-11-27'],
    ['1.MAY.2026', '2026-05-01'],
  ])('a date in a cell: %s is %s', (text, day) => {
    expect(readDay(text, false)).toBe(day);
  });

  test.each([
    ['11/23/2026', /has the month first.*23\/11\/2026/],
    ['29/02/2026', /not a day of the calendar/],
    ['16/11/26', /year with four digits/],
    ['soon', /isn’t a date/],
    ['1/1/0001', /not a day of the calendar/],
    ['31 Nov 2026', /not a day of the calendar/],
    ['27 Nov 26', /27 Nov 26 needs a year with four digits: 27\/11\/2026/],
    ['27 Nov', /isn’t a date/],
    ['before 27 Nov 2026', /isn’t a date/],
    ['not Nov 27, 2026', /isn’t a date/],
    ['27 Nov. or Dec. 2026', /isn’t a date/],
    ['46353', /46353 is how Excel stores a day, perhaps 27\/11\/2026\. Format the column as a date/],
    ['46353.0', /perhaps 27\/11\/2026/],
    ['2026', /isn’t a date/],
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

  test.each([
    ['£325k', /“£325k” is shortened\. Write the whole amount, such as £325,000/],
    ['325 K', /such as £325,000$/],
    ['£1.2m', /such as £1,200,000$/],
    ['0.325m', /such as £325,000$/],
    ['325.000,00', /has a decimal comma\. Write it as £325,000\.00/],
    ['325 000', /has spaces\. Write it as £325,000/],
    ['(325,000)', /isn’t an amount in pounds/],
  ])('the amount %s in a cell is refused with what to write', (text, message) => {
    expect(() => readMoney(text)).toThrow(message);
  });

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
    ['Sir Ian Mc Kay', { title: 'Sir', first_name: 'Ian', last_name: 'Mc Kay' }],
    ['Maria de la Cruz', { first_name: 'Maria', last_name: 'de la Cruz' }],
    ['MARIA DE LA CRUZ', { first_name: 'MARIA', last_name: 'DE LA CRUZ' }],
    ['Robert De Niro', { first_name: 'Robert', last_name: 'De Niro' }],
    ['Ludwig van der Berg', { first_name: 'Ludwig', last_name: 'van der Berg' }],
    ['Nguyen Van Anh', { first_name: 'Nguyen Van', last_name: 'Anh' }],
    ['Mary St John', { first_name: 'Mary', last_name: 'St John' }],
    ['Mary St. John', { first_name: 'Mary', last_name: 'St. John' }],
    ['Sean O Brien', { first_name: 'Sean', last_name: 'O Brien' }],
    ['Ana Maria dos Santos', { first_name: 'Ana Maria', last_name: 'dos Santos' }],
    ['De Souza Ana', { first_name: 'De Souza', last_name: 'Ana' }],
    ['Mr Al Pacino', { title: 'Mr', first_name: 'Al', last_name: 'Pacino' }],
    ['李小龙', { first_name: '小龙', last_name: '李' }],
    ['Mr 李小龍', { title: 'Mr', first_name: '小龍', last_name: '李' }],
    ['欧阳修', { first_name: '修', last_name: '欧阳' }],
    ['欧阳娜娜', { first_name: '娜娜', last_name: '欧阳' }],
    ['김민수', { first_name: '민수', last_name: '김' }],
    ['山田太郎', { first_name: '太郎', last_name: '山田' }],
  ])('the cell %s is split into first and last names', (text, name) => {
    expect(readFullName(text)).toEqual(name);
  });

  test.each([
    ['N/A', /is not a name\. Enter the name, or leave all cells of this client empty/],
    ['-', /is not a name/],
    ['TBC', /is not a name/],
    ['To be confirmed', /is not a name/],
    ['07700 900123', /is not a name/],
    ['=CONCAT(A1,B1)', /is a formula.*paste its values/],
    ['=A1&" "&B1', /is a formula/],
    ['#N/A', /is an error of the spreadsheet program/],
    ['#REF!', /is an error of the spreadsheet program/],
    ['John and Mary Smith', /more than one person.*separate columns/],
    ['Mr & Mrs J Smith', /more than one person/],
    ['J Smith / M Jones', /more than one person/],
    ['John Smith (DECEASED)', /has died.*acts for them/],
    ['John Smith Dec’d', /has died/],
    ['Executors of Mary Jones', /capacity/],
    ['Ann Lee as attorney for Bo Lee', /capacity/],
    ['Mill Lane Developments Ltd', /organisation.*acts for it/],
    ['Bath City Council', /organisation/],
    ['Leeds Council', /organisation/],
    ['Council of Ministers', /organisation/],
    ['Somerset Council', /organisation/],
    ['Parish Council', /organisation/],
    ['London Borough of Hackney', /organisation/],
    ['Charity Commission', /organisation/],
    ['Heart Charity', /organisation/],
    ['Bath Youth Charity', /organisation.*write the title too, such as Ms/],
    ['The Alder Charity', /organisation/],
    ['Alder & Co', /organisation/],
    ['Mill Lane Holdings', /organisation/],
    ['Alder Properties', /organisation/],
    ['Alder Foundation', /organisation/],
    ['Ms Finch Nominees', /organisation/],
    ['Mr Alder Ltd', /organisation/],
    ['Deputy for Ann Lee', /capacity/],
    ['Ann Lee (Deputy)', /capacity/],
    ['Ann Lee, deputy', /capacity/],
    ['Ann Lee Deputy', /capacity.*write the title too, such as Ms/],
    ['Court Deputy', /capacity/],
    ['Professional Deputy', /capacity/],
    ['Mr Lee as deputy', /capacity/],
  ])('the cell %s for one person is rejected with what to do', (text, message) => {
    expect(() => readFullName(text)).toThrow(message);
  });

  test.each([
    'Ms Anderson Plummer',
    'Andy Sandford',
    'Dr Dean Trustram',
    'Incaa Bankole',
    'Harry Deputy',
    'Anne Charity',
    'Ben Council',
    'Deputy, Harry',
    'Charity Jones',
    'Charity Deputy',
    'Ms Mary Ann Charity',
    'Dr Lincoln Council',
    'Sir Tom Lee Deputy',
    'Charlotte Church',
    'Ann Lord',
    'Dean Parish',
    'Rose Banks',
  ])('%s is the name of one person', (text) => expect(readFullName(text).last_name).not.toBe(''));

  test('first and last names from two columns are checked each, and together', () => {
    expect(readDividedName('Charity', 'Council')).toEqual({ first_name: 'Charity', last_name: 'Council' });
    expect(() => readDividedName('Ada', 'TBC')).toThrow(/“TBC” is not a name/);
    expect(() => readDividedName('=B2', 'Byrne')).toThrow(/“=B2” is a formula/);
    expect(() => readDividedName('Ben and', 'Ann Lee')).toThrow(/more than one person/);
    expect(() => readDividedName('Ada', undefined)).toThrow(/needs first and last names/);
  });

  test('a name of one word is rejected', () => {
    for (const name of ['Mr Byrne', 'Adele', 'محمد', '李'])
      expect(() => readFullName(name), name).toThrow(/first and a last name/);
  });
});
