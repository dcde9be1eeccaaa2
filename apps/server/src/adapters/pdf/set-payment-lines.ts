import type { PaymentLine } from '@keyturn/contract';
import { formatMoney, formatRate } from '@keyturn/format/money';
import type { ReceiptContent } from '../../features/payments/ports.ts';
import { baseLine, colors, type Sheet, styles } from './open-sheet.ts';
import type { TextStyle } from './write-text.ts';

/** What was paid for, line by line, and the sums. The head stands again on every page that the table reaches. */
export function setPaymentLines(sheet: Sheet, receipt: ReceiptContent): void {
  const rows = receipt.lines.map(rowOf);
  const sums = sumsOf(receipt);
  const columns = fitColumns(sheet, [...rows, ...sums]);
  const heightOf = (row: Row) => measureRow(sheet, columns, row).height;
  const sumsHeight = sums.reduce((height, row) => height + heightOf(row) + 4, 0);

  const table = sheet.part(sheet.root, 'Table');
  sheet.need(96);
  setHead(sheet, columns, sheet.part(sheet.part(table, 'THead'), 'TR'));
  sheet.repeat(() => setHead(sheet, columns, null));
  const body = sheet.part(table, 'TBody');
  rows.forEach((row, index) => {
    // The sums never stand alone on a page.
    if (index === rows.length - 1) sheet.need(Math.min(heightOf(row) + 14 + sumsHeight, 500));
    setRow(sheet, columns, sheet.part(body, 'TR'), row);
    sheet.y += 7;
    sheet.rule(colors.line, 0.5);
    sheet.y += 7;
  });
  const foot = sheet.part(table, 'TFoot');
  sheet.need(sumsHeight);
  for (const row of sums) {
    setRow(sheet, columns, sheet.part(foot, 'TR'), row);
    sheet.y += 4;
  }
  sheet.repeat(null);
}

interface Row {
  text: string;
  note: string | null;
  /** Net, VAT rate, VAT, total. */
  figures: readonly string[];
  style: TextStyle;
}

const rowOf = (line: PaymentLine): Row => ({
  text: line.text,
  note: line.client_money ? 'Client money: held in our client account' : null,
  figures: [
    formatMoney(line.net),
    line.vat === 0 && line.vat_rate === 0 ? 'No VAT' : formatRate(line.vat_rate),
    formatMoney(line.vat),
    formatMoney(line.gross),
  ],
  style: styles.text,
});

function sumsOf({ lines, amount, refundedAmount }: ReceiptContent): Row[] {
  const sum = (of: (line: PaymentLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const total: Row = {
    text: 'Total paid',
    note: null,
    figures: [
      formatMoney(sum(({ net }) => net)),
      '',
      formatMoney(sum(({ vat }) => vat)),
      formatMoney(amount),
    ],
    style: { ...styles.strong, size: 11 },
  };
  if (refundedAmount <= 0) return [total];
  return [
    total,
    {
      text: 'Paid back to you',
      note: null,
      figures: ['', '', '', `−${formatMoney(refundedAmount)}`],
      style: styles.text,
    },
    {
      text: 'Left after what was paid back',
      note: null,
      figures: ['', '', '', formatMoney(amount - refundedAmount)],
      style: styles.strong,
    },
  ];
}

const names = ['Net', 'VAT rate', 'VAT', 'Total'] as const;
const headStyle: TextStyle = { ...styles.small, weight: 600 };
/** Between two columns. */
const gap = 18;
/** A figure that is wider is set smaller, never cut. */
const widest = 84;

/** The widths of the columns of figures, each with the gap before it: no wider than its widest figure. */
function fitColumns(sheet: Sheet, rows: readonly Row[]): number[] {
  return names.map((name, column) => {
    const widths = rows.map(
      ({ figures, style }) => sheet.writer.line(figures[column] ?? '', { ...style, tabular: true }).width,
    );
    const head = sheet.writer.line(name, headStyle).width;
    return (
      gap +
      Math.min(
        widest,
        widths.reduce((most, width) => Math.max(most, width), head),
      )
    );
  });
}

/** @param row of the structure; null where the head stands again for the eye */
function setHead(sheet: Sheet, columns: readonly number[], row: PDFKit.PDFStructureElement | null): void {
  const base = sheet.y + baseLine(headStyle);
  const write = (name: string, at: (width: number) => number) => {
    const line = sheet.writer.line(name, headStyle);
    const draw = () => sheet.writer.draw(line, headStyle, at(line.width), base);
    if (row) sheet.mark(sheet.part(row, 'TH', { scope: 'Column' }), 'TH', draw);
    else sheet.decorate(draw);
  };
  write('What you paid for', () => sheet.left);
  let right = sheet.left + sheet.width - widthOf(columns);
  names.forEach((name, column) => {
    right += columns[column] ?? 0;
    const end = right;
    write(name, (width) => end - width);
  });
  sheet.y += headStyle.size * 1.42 + 5;
  sheet.rule(colors.lineStrong, 0.75);
  sheet.y += 8;
}

const widthOf = (columns: readonly number[]) => columns.reduce((sum, width) => sum + width, 0);

function measureRow(sheet: Sheet, columns: readonly number[], { text, note, style }: Row) {
  const width = sheet.width - widthOf(columns);
  const leading = style.size * 1.42;
  const noteLeading = styles.small.size * 1.42;
  const texts = sheet.writer.lines(text, style, width);
  const notes = note ? sheet.writer.lines(note, styles.small, width) : [];
  const height = texts.length * leading + notes.length * noteLeading;
  return { texts, notes, leading, noteLeading, height };
}

/** A row is kept on one page where one page can hold it. */
function setRow(sheet: Sheet, columns: readonly number[], part: PDFKit.PDFStructureElement, row: Row): void {
  const { texts, notes, leading, noteLeading, height } = measureRow(sheet, columns, row);
  sheet.need(height < 560 ? height : leading);
  const name = sheet.part(part, 'TD');
  texts.forEach((line, index) => {
    sheet.need(leading);
    const base = sheet.y + baseLine(row.style);
    sheet.mark(name, 'TD', () => sheet.writer.draw(line, row.style, sheet.left, base));
    if (index === 0) setFigures(sheet, columns, part, row, base);
    sheet.y += leading;
  });
  for (const line of notes) {
    sheet.need(noteLeading);
    const base = sheet.y + baseLine(styles.small);
    sheet.mark(name, 'TD', () => sheet.writer.draw(line, styles.small, sheet.left, base));
    sheet.y += noteLeading;
  }
}

function setFigures(
  sheet: Sheet,
  columns: readonly number[],
  part: PDFKit.PDFStructureElement,
  row: Row,
  base: number,
): void {
  let right = sheet.left + sheet.width - widthOf(columns);
  columns.forEach((column, index) => {
    right += column;
    const cell = sheet.part(part, 'TD');
    const figure = row.figures[index];
    if (!figure) return;
    const usual: TextStyle = { ...row.style, tabular: true };
    const { width } = sheet.writer.line(figure, usual);
    const fitted = { ...usual, size: Math.min(usual.size, (usual.size * (column - gap + 0.01)) / width) };
    const line = sheet.writer.line(figure, fitted);
    sheet.mark(cell, 'TD', () => sheet.writer.draw(line, fitted, right - line.width, base));
  });
}
