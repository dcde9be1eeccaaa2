import { describe, expect, test } from 'vitest';
import { csvFile } from './csv-file.ts';

const line = (...fields: string[]) => csvFile([fields]).slice(1, -2);

describe('a CSV file', () => {
  test('begins with a byte order mark and ends every line with CR LF', () => {
    expect(
      csvFile([
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
    ['nothing of these', 'Paid £66.00; thank you', 'Paid £66.00; thank you'],
    ['nothing at all', '', ''],
  ])('quotes a field as it must for %s', (_, text, field) => {
    expect(line(text)).toBe(field);
  });

  test.each([
    ['=HYPERLINK("https://elsewhere.example")', `"'=HYPERLINK(""https://elsewhere.example"")"`],
    ['+44 117 496 0101', "'+44 117 496 0101"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
  ])('makes text of %j', (text, field) => {
    expect(line('before', text)).toBe(`before,${field}`);
  });

  test('leaves alone what only contains such a sign', () => {
    expect(line('a=b', 'Jean-Luc', "'quoted'", 'x@example.test')).toBe(
      "a=b,Jean-Luc,'quoted',x@example.test",
    );
  });

  test.each(['Siobhán Ó Dálaigh', '王小明', 'محمد العربي', 'Zoë 🏠', 'Владимир'])('keeps %s', (name) => {
    expect(line(name)).toBe(name);
  });
});
