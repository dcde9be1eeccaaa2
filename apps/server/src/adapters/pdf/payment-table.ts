import type { PaymentLine } from '@keyturn/contract';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import { formatMoney, formatRate } from '@keyturn/format/money';
import { isRefundPending } from '@keyturn/format/refunds';
import { baselineOffset, type TaggedDocument, type TextStyle } from '@keyturn/pdf';
import type { ReceiptContent } from '../../payments/ports/printers.ts';
import { colours, styles } from './letterhead-document.ts';

type Bill = Pick<ReceiptContent, 'lines' | 'amount' | 'refundedAmount'> &
  /** Without refunds, only their total is shown. */
  Partial<Pick<ReceiptContent, 'refunds'>>;

/**
 * Adds the table of payment lines and totals. Its header is repeated on every page.
 * @param options.showsVat false: only the totals are shown, because no receipt is a VAT invoice
 */
export function addPaymentTable(
  document: TaggedDocument,
  receipt: Bill,
  options: { showsVat: boolean } = { showsVat: true },
): void {
  const names = options.showsVat ? allColumns : allColumns.slice(-1);
  const shown = ({ figures, ...row }: Row): Row => ({ ...row, figures: figures.slice(-names.length) });
  const rows = receipt.lines.map(rowOf).map(shown);
  const totals = totalsOf(receipt).map(shown);
  const columns = fitColumns(document, names, [...rows, ...totals]);
  const heightOf = (row: Row) => measureRow(document, columns, row).height;
  const totalsHeight = totals.reduce((height, row) => height + heightOf(row) + 4, 0);

  const table = document.addElement(document.root, 'Table');
  document.ensureSpace(96);
  addHeader(document, columns, {
    names,
    row: document.addElement(document.addElement(table, 'THead'), 'TR'),
  });
  document.setPageHeader(() => addHeader(document, columns, { names, row: null }));
  const body = document.addElement(table, 'TBody');
  rows.forEach((row, index) => {
    // Keep the last line and the totals on one page.
    if (index === rows.length - 1) document.ensureSpace(Math.min(heightOf(row) + 14 + totalsHeight, 500));
    addRow(document, columns, document.addElement(body, 'TR'), row);
    document.y += 7;
    document.drawRule(colours.line, 0.5);
    document.y += 7;
  });
  const foot = document.addElement(table, 'TFoot');
  document.ensureSpace(totalsHeight);
  for (const row of totals) {
    addRow(document, columns, document.addElement(foot, 'TR'), row);
    document.y += 4;
  }
  document.setPageHeader(null);
}

interface Row {
  text: string;
  note: string | null;
  /** The columns net, VAT rate, VAT and total. */
  figures: readonly string[];
  style: TextStyle;
}

const rowOf = (line: PaymentLine): Row => ({
  text: line.text,
  note: line.client_money ? 'Client money' : null,
  figures: [
    formatMoney(line.net),
    line.vat === 0 && line.vat_rate === 0 ? 'No VAT' : formatRate(line.vat_rate),
    formatMoney(line.vat),
    formatMoney(line.gross),
  ],
  style: styles.text,
});

function totalsOf({ lines, amount, refundedAmount, refunds = [] }: Bill): Row[] {
  const sum = (amountOf: (line: PaymentLine) => number) =>
    lines.reduce((total, line) => total + amountOf(line), 0);
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
    ...refundRows(refunds, refundedAmount),
    {
      text: 'Total after refund',
      note: null,
      figures: ['', '', '', formatMoney(amount - refundedAmount)],
      style: styles.strong,
    },
  ];
}

/** Adds a row for each refund that has not failed, or one for the total if the single refunds are unknown. */
function refundRows(refunds: ReceiptContent['refunds'], refundedAmount: number): Row[] {
  const row = (text: string, amount: number): Row => ({
    text,
    note: null,
    figures: ['', '', '', `−${formatMoney(amount)}`],
    style: styles.text,
  });
  const made = refunds.filter(({ failed_at }) => failed_at === null);
  const total = made.reduce((sum, { amount }) => sum + amount, 0);
  if (total !== refundedAmount) return [row('Refunded', refundedAmount)];
  return made.map((refund) => {
    const day = formatDay(londonDay(new Date(refund.created_at)));
    return row(isRefundPending(refund) ? `Refund started on ${day}` : `Refunded on ${day}`, refund.amount);
  });
}

const allColumns = ['Net', 'VAT rate', 'VAT', 'Total'];
const headerStyle: TextStyle = { ...styles.small, weight: 600 };
/** Points between two columns. */
const gap = 18;
/** Wider figures get a smaller font size. */
const maxFigureWidth = 84;

/** Computes the width of each figure column from its widest figure, including the gap before it. */
function fitColumns(document: TaggedDocument, names: readonly string[], rows: readonly Row[]): number[] {
  return names.map((name, column) => {
    const widths = rows.map(
      ({ figures, style }) => document.writer.line(figures[column] ?? '', { ...style, tabular: true }).width,
    );
    const headerWidth = document.writer.line(name, headerStyle).width;
    return (
      gap +
      Math.min(
        maxFigureWidth,
        widths.reduce((widest, width) => Math.max(widest, width), headerWidth),
      )
    );
  });
}

/** @param header.row the structure element; null for a repeated header, which screen readers skip */
function addHeader(
  document: TaggedDocument,
  columns: readonly number[],
  { names, row }: { names: readonly string[]; row: PDFKit.PDFStructureElement | null },
): void {
  const baseline = document.y + baselineOffset(headerStyle);
  const write = (name: string, positionFor: (width: number) => number) => {
    const line = document.writer.line(name, headerStyle);
    const draw = () => document.writer.draw(line, headerStyle, positionFor(line.width), baseline);
    if (row) document.drawContent(document.addElement(row, 'TH', { scope: 'Column' }), 'TH', draw);
    else document.drawArtifact(draw);
  };
  write('What you paid for', () => document.left);
  let right = document.left + document.width - totalWidth(columns);
  names.forEach((name, column) => {
    right += columns[column] ?? 0;
    const end = right;
    write(name, (width) => end - width);
  });
  document.y += headerStyle.size * 1.42 + 5;
  document.drawRule(colours.lineStrong, 0.75);
  document.y += 8;
}

const totalWidth = (columns: readonly number[]) => columns.reduce((sum, width) => sum + width, 0);

function measureRow(document: TaggedDocument, columns: readonly number[], { text, note, style }: Row) {
  const width = document.width - totalWidth(columns);
  const leading = style.size * 1.42;
  const noteLeading = styles.small.size * 1.42;
  const texts = document.writer.lines(text, style, width);
  const notes = note ? document.writer.lines(note, styles.small, width) : [];
  const height = texts.length * leading + notes.length * noteLeading;
  return { texts, notes, leading, noteLeading, height };
}

/** Adds a row, on one page if it fits. */
function addRow(
  document: TaggedDocument,
  columns: readonly number[],
  element: PDFKit.PDFStructureElement,
  row: Row,
): void {
  const { texts, notes, leading, noteLeading, height } = measureRow(document, columns, row);
  document.ensureSpace(height < 560 ? height : leading);
  const name = document.addElement(element, 'TD');
  texts.forEach((line, index) => {
    document.ensureSpace(leading);
    const baseline = document.y + baselineOffset(row.style);
    document.drawContent(name, 'TD', () => document.writer.draw(line, row.style, document.left, baseline));
    if (index === 0) addFigures(document, columns, element, row, baseline);
    document.y += leading;
  });
  for (const line of notes) {
    document.ensureSpace(noteLeading);
    const baseline = document.y + baselineOffset(styles.small);
    document.drawContent(name, 'TD', () => document.writer.draw(line, styles.small, document.left, baseline));
    document.y += noteLeading;
  }
}

function addFigures(
  document: TaggedDocument,
  columns: readonly number[],
  element: PDFKit.PDFStructureElement,
  row: Row,
  baseline: number,
): void {
  let right = document.left + document.width - totalWidth(columns);
  columns.forEach((column, index) => {
    right += column;
    const cell = document.addElement(element, 'TD');
    const figure = row.figures[index];
    if (!figure) return;
    const figureStyle: TextStyle = { ...row.style, tabular: true };
    const { width } = document.writer.line(figure, figureStyle);
    const fitted = {
      ...figureStyle,
      size: Math.min(figureStyle.size, (figureStyle.size * (column - gap + 0.01)) / width),
    };
    const line = document.writer.line(figure, fitted);
    document.drawContent(cell, 'TD', () => document.writer.draw(line, fitted, right - line.width, baseline));
  });
}
