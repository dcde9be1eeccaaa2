import { deflateRawSync } from 'node:zlib';
import { toCsv } from '@keyturn/format/csv';
import { describe, expect, test } from 'vitest';
import { spreadsheetTemplate } from '../template.ts';
import { guessFields } from './guess-fields.ts';
import { readSheet, sheetLimits } from './read-sheet.ts';

// cspell:ignore Peña Briain Ælfgifu ller

const cellsOf = async (content: Buffer | string) => {
  const { headings, rows } = await readSheet(Buffer.from(content as string));
  return [headings, ...rows.map(({ cells }) => cells)];
};
const names = [
  ['Name', 'Note'],
  ['Zoë O’Brien', '€ 5 – “ok”'],
];
const text = names.map((row) => row.join(',')).join('\r\n');
/** Excel’s CSV format on Windows. */
const windows1252 = Buffer.from(
  text.replaceAll(
    /[€’–“”]/g,
    (character) => ({ '€': '\x80', '’': '\x92', '–': '\x96', '“': '\x93', '”': '\x94' })[character] ?? '',
  ),
  'latin1',
);

describe('reading a spreadsheet', () => {
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['Windows-1252', windows1252],
    ['UTF-16 of Excel’s “Unicode text”', Buffer.from(`\uFEFF${text.replaceAll(',', '\t')}`, 'utf16le')],
  ])('reads a spreadsheet in %s', async (_name, content) => {
    expect(await cellsOf(content)).toEqual(names);
  });

  test.each([
    ['Windows-1252', 'Zoë Müller, José Peña, François Ó Briain', [0xeb, 0xfc, 0xe9, 0xf1, 0xe7, 0xd3]],
    ['Mac Roman', 'Zoë Müller, José Peña, François Ó Briain', [0x91, 0x9f, 0x8e, 0x96, 0x8d, 0xee]],
    ['CP850', 'Zoë Müller, José Peña, François Ó Briain', [0x89, 0x81, 0x82, 0xa4, 0x87, 0xe0]],
    ['CP437', 'Zoë Müller, José Peña, £325,000 ½', [0x89, 0x81, 0x82, 0xa4, 0x9c, 0xab]],
    ['UTF-16 without a byte order mark', 'A client’s name, Zoë Ælfgifu', null],
  ])('tells a spreadsheet in %s apart', async (_encoding, row, bytes) => {
    const heading = 'Client name;email address';
    const letters = [...row].filter((character) => character > '\x7f');
    const content = bytes
      ? Buffer.from(
          `${heading}\r\n${[...row].map((one) => (one > '\x7f' ? String.fromCharCode(bytes[letters.indexOf(one)] ?? 0) : one)).join('')}`,
          'latin1',
        )
      : Buffer.from(`${heading}\r\n${row}`, 'utf16le');
    expect((await cellsOf(content))[1]?.[0]).toBe(row);
  });

  test('names the row of a single damaged character, and shows what a file of unknown encoding could read', async () => {
    const damaged = Buffer.concat([
      Buffer.from('A,B\r\nZoë,José\r\nPeña,M'),
      Buffer.from([0xfc]),
      Buffer.from('ller\r\n'),
    ]);
    await expect(cellsOf(damaged)).rejects.toThrow(/character in row 3 is damaged/);
    const unknown = Buffer.from('Name,B\r\nAda \xd7\xf7\xa6 Byrne,1\r\n', 'latin1');
    await expect(cellsOf(unknown)).rejects.toThrow(
      /It could read “Ada ×÷¦ Byrne” or “Ada .*” or .*Save the spreadsheet as/,
    );
  });

  test.each([
    ['semicolons', 'A;B\r\n1;2,5'],
    ['tabs', 'A\tB\n1\t2,5'],
    ['commas', 'A,B\r1,"2,5"'],
    ['Excel’s hint', 'sep=;\r\nA;B\r\n1;2,5'],
    ['separators in quoted headings', '"A;;;","B"\n1,"2,5"'],
  ])('reads a spreadsheet with cells separated by %s', async (_name, content) => {
    expect((await cellsOf(content))[1]).toEqual(['1', '2,5']);
  });

  test('reading a spreadsheet keeps line breaks and quotation marks in quoted cells, and the numbers of rows', async () => {
    const { rows } = await readSheet(Buffer.from('A,B\r\n"1\r\n2","say ""hi"""\r\n,\r\n\r\nlast,\r\n'));
    expect(rows).toEqual([
      { number: 2, cells: ['1\r\n2', 'say "hi"'] },
      { number: 5, cells: ['last', ''] },
    ]);
  });

  test('reading a spreadsheet keeps formulas as text, and restores the cells of exported rejected rows', async () => {
    const rows = [
      ['A', 'B'],
      ['=1+1', '+44 117 496 0101'],
      ['@x', '-5'],
    ];
    expect(await cellsOf(toCsv(rows))).toEqual(rows);
    expect(await cellsOf('A,B\n=1+1,"=HYPERLINK(""http://evil.test"")"')).toEqual([
      ['A', 'B'],
      ['=1+1', '=HYPERLINK("http://evil.test")'],
    ]);
  });

  test('recognises every heading of the spreadsheet template', async () => {
    const { headings, rows } = await readSheet(Buffer.from(spreadsheetTemplate()));
    expect(guessFields(headings)).not.toContain(null);
    expect(rows).toHaveLength(2);
  });

  test('recognises spreadsheet headings of other systems, assigns no field twice, and prefers earlier choices', () => {
    const headings = ['File Ref.', 'PROPERTY_ADDRESS', 'Fee earner', 'Reference', 'Colour'];
    expect(guessFields(headings)).toEqual(['case_reference', 'address_1', 'handler_name', null, null]);
    expect(
      guessFields(
        headings,
        new Map([
          ['fileref', null],
          ['colour', 'tenure'],
        ]),
      ),
    ).toEqual([null, 'address_1', 'handler_name', 'case_reference', 'tenure']);
  });
});

const zip = Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync('xl/workbook.xml')]);
const lines = (count: number, line: string) => `A,B\n${`${line}\n`.repeat(count)}`;

describe('a file that is no spreadsheet', () => {
  test.each<[string, Buffer | string, RegExp]>([
    ['an empty file', '', /is empty/],
    ['headings without rows', 'A,B\n', /no rows/],
    ['a workbook named .csv', zip, /Excel.*Save As/],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /older Excel workbook/],
    ['a PDF', '%PDF-1.7 x', /is a PDF/],
    ['a web page', '<!doctype html>', /web page/],
    ['a case feed', '{"format":1}', /JSON/],
    ['NUL bytes', 'A,B\n1,\0', /isn’t text/],
    ['a quotation mark that is not closed', 'A,B\n1,"2\n3,4', /row 2 is not closed/],
    ['a quotation mark that is not closed below empty rows', '\nA,B\r\n\r\n1,"2', /row 4 is not closed/],
    ['a quotation mark inside a cell', 'A,B\n1,"2"x\n', /Row 2 has a quotation mark inside a cell/],
    ['one cell of 10 MB', `A,B\n1,"${'x'.repeat(10_000_000)}"`, /Row 2 has a cell with more than 10,000/],
    ['a cell that is too long', `A,B\n1,${'x'.repeat(10_001)}`, /Row 2 has a cell with more than 10,000/],
    ['100,000 separators in a line', `A,B\n${','.repeat(100_000)}x`, /Row 2 has more than 100 columns/],
    ['empty lines before a row', `A,B\n${'\n'.repeat(100_001)}1,2`, /very many empty rows/],
    ['lines of separators', `A,B\n${',\n'.repeat(100_001)}1,2`, /very many empty rows/],
    ['too many rows', lines(sheetLimits.rows + 1, '1,2'), /more than 5,000 rows/],
    ['more cells than headings', 'A,B\n1,2,3', /Row 2 has 3 cells, but there are 2 headings/],
  ])('a file that is not a spreadsheet is rejected with the reason: %s', async (_name, content, message) => {
    await expect(readSheet(Buffer.from(content as string))).rejects.toMatchObject({
      code: 'spreadsheet_unreadable',
      message: expect.stringMatching(message),
    });
  });

  test('rejecting a file that is not a spreadsheet takes time in proportion to its size', async () => {
    /** Other work on the machine can only add to the processor time. */
    const costOf = async (content: Buffer, { enough, runs }: { enough: number; runs: number }) => {
      let least = Number.POSITIVE_INFINITY;
      for (let run = 0; run < runs && least >= enough; run += 1) {
        const before = process.cpuUsage();
        await readSheet(content).catch(() => {});
        const { user, system } = process.cpuUsage(before);
        least = Math.min(least, (user + system) / 1_000);
      }
      return least;
    };
    const hostile: Record<string, (size: number) => string> = {
      'one quoted cell': (size) => `A\n"${'x'.repeat(size)}`,
      'quotation marks': (size) => `A\n"${'"'.repeat(size)}`,
      separators: (size) => `A\n${','.repeat(size)}`,
      'empty lines': (size) => `A${'\n'.repeat(size)}`,
      'spaces in a cell': (size) => `A\n${' '.repeat(size)}x`,
      'short rows': (size) => `A\n${'1\n'.repeat(size / 2)}`,
    };
    for (const [name, make] of Object.entries(hostile)) {
      const quarter = await costOf(Buffer.from(make(25_000)), { enough: 0, runs: 2 });
      const enough = 60 + 8 * quarter;
      expect(await costOf(Buffer.from(make(100_000)), { enough, runs: 20 }), name).toBeLessThan(enough);
    }
  });
});
