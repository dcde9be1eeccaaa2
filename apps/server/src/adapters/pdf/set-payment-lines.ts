import type { PaymentLine } from '@keyturn/contract';
import { formatMoney, formatRate } from './format-for-print.ts';
import { baseLine, colors, indent, type Sheet, styles } from './open-sheet.ts';
import type { ReceiptContent } from './receipt-content.ts';
import type { TextStyle } from './write-text.ts';

/** What was paid for, line by line, and the sums. The head stands again on every page that the table reaches. */
export function setPaymentLines(sheet: Sheet, receipt: ReceiptContent): void {
  const table = sheet.part(sheet.root, 'Table');
  const head = sheet.part(sheet.part(table, 'THead'), 'TR');
  sheet.need(96);
  setHead(sheet, (name, draw) =>
    sheet.mark(sheet.part(head, 'TH', { scope: 'Column' }), 'TH', () => draw(name)),
  );
  sheet.repeat(() =>
    setHead(sheet, (name, draw) => {
      sheet.pdf.markContent('Artifact', { type: 'Pagination' });
      draw(name);
      sheet.pdf.endMarkedContent();
    }),
  );
  const body = sheet.part(table, 'TBody');
  for (const line of receipt.lines) {
    setRow(sheet, sheet.part(body, 'TR'), {
      text: line.text,
      note: line.client_money ? 'Client money: held in our client account' : null,
      cells: cellsOf(line),
      style: styles.text,
    });
    sheet.y += 7;
    sheet.rule(colors.line, 0.5);
    sheet.y += 7;
  }
  const foot = sheet.part(table, 'TFoot');
  const sums = sumsOf(receipt);
  sheet.need(sums.length * 24);
  sums.forEach((row, index) => {
    if (index > 0) sheet.y += 4;
    setRow(sheet, sheet.part(foot, 'TR'), row);
  });
  sheet.repeat(null);
}

/** Widths of the columns of figures, from the left; the text has the rest. */
const figures = [
  { name: 'Net', width: 78 },
  { name: 'VAT rate', width: 62 },
  { name: 'VAT', width: 70 },
  { name: 'Total', width: 84 },
] as const;
const figuresWidth = figures.reduce((sum, { width }) => sum + width, 0);

const headStyle: TextStyle = { ...styles.small, weight: 600 };

function setHead(sheet: Sheet, each: (name: string, draw: (name: string) => void) => void): void {
  const base = sheet.y + baseLine(headStyle);
  const write = (name: string, at: (width: number) => number) =>
    each(name, (text) => {
      const [line] = sheet.writer.lines(text, headStyle, 200);
      if (line) sheet.writer.draw(line, headStyle, at(line.width), base);
    });
  write('What you paid for', () => sheet.left);
  let right = sheet.left + sheet.width - figuresWidth;
  for (const { name, width } of figures) {
    right += width;
    const end = right;
    write(name, (wide) => end - wide);
  }
  sheet.y += headStyle.size * 1.42 + 5;
  sheet.rule(colors.lineStrong, 0.75);
  sheet.y += 8;
}

interface Row {
  text: string;
  note: string | null;
  /** As many as there are columns of figures. */
  cells: readonly string[];
  style: TextStyle;
}

function setRow(sheet: Sheet, row: PDFKit.PDFStructureElement, { text, note, cells, style }: Row): void {
  const { writer } = sheet;
  const width = sheet.width - figuresWidth - 8;
  const leading = style.size * 1.42;
  const texts = writer.lines(text, style, width);
  const notes = note ? writer.lines(note, styles.small, width) : [];
  const noteLeading = styles.small.size * 1.42;
  const height = texts.length * leading + notes.length * noteLeading;
  // A row is kept on one page where one page can hold it.
  sheet.need(height < 560 ? height : leading);
  const name = sheet.part(row, 'TD');
  texts.forEach((line, index) => {
    sheet.need(leading);
    const base = sheet.y + baseLine(style);
    sheet.mark(name, 'TD', () => writer.draw(line, style, sheet.left + indent(line, texts), base));
    if (index === 0) setFigures(sheet, row, cells, style, base);
    sheet.y += leading;
  });
  for (const line of notes) {
    sheet.need(noteLeading);
    const base = sheet.y + baseLine(styles.small);
    sheet.mark(name, 'TD', () => writer.draw(line, styles.small, sheet.left, base));
    sheet.y += noteLeading;
  }
}

function setFigures(
  sheet: Sheet,
  row: PDFKit.PDFStructureElement,
  cells: readonly string[],
  style: TextStyle,
  base: number,
): void {
  const figureStyle: TextStyle = { ...style, tabular: true };
  let right = sheet.left + sheet.width - figuresWidth;
  figures.forEach(({ width }, index) => {
    right += width;
    const [line] = sheet.writer.lines(cells[index] ?? '', figureStyle, 400);
    const cell = sheet.part(row, 'TD');
    if (!line) return;
    // A figure too long for its column is set smaller, never cut.
    const size = Math.min(figureStyle.size, (figureStyle.size * (width - 6)) / Math.max(line.width, 1));
    const fitted = { ...figureStyle, size };
    const [again = line] = sheet.writer.lines(cells[index] ?? '', fitted, 400);
    sheet.mark(cell, 'TD', () => sheet.writer.draw(again, fitted, right - again.width, base));
  });
}

const cellsOf = (line: PaymentLine) => [
  formatMoney(line.net),
  line.vat === 0 && line.vat_rate === 0 ? 'No VAT' : formatRate(line.vat_rate),
  formatMoney(line.vat),
  formatMoney(line.gross),
];

function sumsOf({ lines, amount, refundedAmount }: ReceiptContent): Row[] {
  const sum = (of: (line: PaymentLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const total: Row = {
    text: 'Total paid',
    note: null,
    cells: [formatMoney(sum(({ net }) => net)), '', formatMoney(sum(({ vat }) => vat)), formatMoney(amount)],
    style: { ...styles.strong, size: 11 },
  };
  if (refundedAmount <= 0) return [total];
  const money = (text: string, pence: number, style: TextStyle): Row => ({
    text,
    note: null,
    cells: ['', '', '', formatMoney(pence)],
    style,
  });
  return [
    total,
    money('Paid back to you', -refundedAmount, styles.text),
    money('Paid after what was paid back', amount - refundedAmount, styles.strong),
  ];
}
