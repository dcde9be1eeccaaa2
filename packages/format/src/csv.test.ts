import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

const line = (...fields: string[]) => toCsv([fields]).slice(1, -2);

test('starts a CSV file with a byte order mark and ends every line with CRLF', () => {
  expect(
    toCsv([
      ['Date', 'Who'],
      ['20 Nov 2026', 'Rhian Morgan'],
    ]),
  ).toBe('\uFEFFDate,Who\r\n20 Nov 2026,Rhian Morgan\r\n');
});

test.each([
  ['a comma', 'Bath, Somerset', '"Bath, Somerset"'],
  ['a quote', 'the "Old" Chapel', '"the ""Old"" Chapel"'],
  ['a line break', 'one\ntwo', '"one\ntwo"'],
  ['a CR LF', 'one\r\ntwo', '"one\r\ntwo"'],
  ['no special characters', 'Paid £66.00; thank you', 'Paid £66.00; thank you'],
  ['an empty field', '', ''],
])('quotes a CSV field correctly for %s', (_, text, field) => {
  expect(line(text)).toBe(field);
});

test.each([
  ['=HYPERLINK("https://elsewhere.example")', `"'=HYPERLINK(""https://elsewhere.example"")"`],
  ['+44 117 496 0101', "'+44 117 496 0101"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
])('fault 59: turns the possible formula %j into text in a CSV file', (text, field) => {
  expect(line('before', text)).toBe(`before,${field}`);
});

test.each(['-12.50', '-7', '12.50', '0.00'])('keeps the number %s a number in a CSV file', (number) => {
  expect(line('before', number)).toBe(`before,${number}`);
});

test('leaves a CSV field alone when a formula character is not at its start', () => {
  expect(line('a=b', 'Jean-Luc', "'quoted'", 'x@example.test')).toBe("a=b,Jean-Luc,'quoted',x@example.test");
});

test.each(['Siobhán Ó Dálaigh', '王小明', 'محمد العربي', 'Zoë 🏠', 'Владимир'])(
  'keeps the name %s unchanged in a CSV file',
  (name) => {
    expect(line(name)).toBe(name);
  },
);
