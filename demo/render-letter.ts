import { dayParts, londonDay } from '@keyturn/format/london-time';
import PDFDocument from 'pdfkit';
import { type Letterhead, ourLetterhead } from './letterheads.ts';

/** The content of a document, from top to bottom. */
export interface Letter {
  title: string;
  /** The author's letterhead; default: the firm's. Null: a form, which has none. */
  letterhead?: Letterhead | null;
  /** Shown below the title, after the date unless they contain one. */
  facts: [string, string][];
  sections: Section[];
  /** One signature line each, at the end. */
  signatures?: Signature[];
  /** A deed: each signature has lines for its witness. */
  isDeed?: boolean;
}

interface Section {
  heading?: string;
  paragraphs?: string[];
  list?: string[];
  table?: string[][];
  /** Labels of lines to write on. */
  lines?: string[];
  /** The number of a form's panel, which has a border. It contains only a heading and paragraphs. */
  panel?: string;
  startsPage?: boolean;
}

interface Signature {
  name: string;
  /** What is written on the lines of a signed copy; empty lines otherwise. */
  written?: string[];
}

type Pdf = PDFKit.PDFDocument;

const ink = '#1b2420';
const soft = '#434c46';
const line = '#ddd6c8';
const margin = 64;
const footHeight = 100;

/** Renders a document as an A4 PDF on its author's letterhead. The same letter and date always give the same bytes. */
export function renderLetter(letter: Letter, date: Date): Promise<{ content: Buffer; pages: number }> {
  return new Promise((resolve, reject) => {
    const letterhead = letter.letterhead === undefined ? ourLetterhead : letter.letterhead;
    const { font, colour } = letterhead ?? { font: 'Helvetica-Bold', colour: ink };
    const pdf = new PDFDocument({
      size: 'A4',
      margins: { top: letterhead ? 128 : margin, bottom: footHeight, left: margin, right: margin },
      bufferPages: true,
      lang: 'en-GB',
      tagged: true,
      displayTitle: true,
      info: {
        Title: letter.title,
        Author: letterhead?.name ?? ourLetterhead.name,
        CreationDate: date,
      },
    });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('error', reject);
    const width = pdf.page.width - 2 * margin;

    pdf.font(font).fontSize(22).fillColor(colour).text(letter.title, margin, pdf.y, { width });
    pdf.moveDown(0.6);
    if (letterhead) {
      drawFacts(pdf, datedFacts(letter, date), width);
      pdf.moveDown(0.4);
      drawRule(pdf, width);
      pdf.moveDown(1);
    }
    for (const section of letter.sections) {
      if (section.startsPage) pdf.addPage();
      if (section.panel) drawPanel(pdf, section, width);
      else drawSection(pdf, section, { width, font, colour });
    }
    if (letter.signatures) drawSignatures(pdf, letter, width);

    const { count } = pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      pdf.switchToPage(page);
      // Both are outside the text margins.
      const { bottom } = pdf.page.margins;
      pdf.page.margins.bottom = 0;
      if (letterhead) drawLetterhead(pdf, letterhead, width);
      drawFoot(pdf, letterhead?.statement, { width, page: page + 1, count });
      pdf.page.margins.bottom = bottom;
    }
    pdf.on('end', () => resolve({ content: Buffer.concat(chunks), pages: count }));
    pdf.end();
  });
}

function datedFacts({ facts }: Letter, sharedAt: Date): Letter['facts'] {
  if (facts.some(([name]) => name === 'Date')) return facts;
  const { date, month, year } = dayParts(londonDay(sharedAt));
  return [['Date', `${date} ${month} ${year}`], ...facts];
}

function drawFacts(pdf: Pdf, facts: Letter['facts'], width: number) {
  for (const [name, value] of facts) {
    const y = pdf.y;
    pdf.font('Helvetica').fontSize(9.5).fillColor(soft).text(name, margin, y, { width: 110 });
    pdf.fillColor(ink).text(value, margin + 120, y, { width: width - 120 });
    pdf.moveDown(0.25);
  }
}

function drawRule(pdf: Pdf, width: number) {
  pdf
    .moveTo(margin, pdf.y)
    .lineTo(margin + width, pdf.y)
    .lineWidth(0.75)
    .strokeColor(line)
    .stroke();
}

function drawSection(
  pdf: Pdf,
  section: Section,
  { width, font, colour }: Pick<Letterhead, 'font' | 'colour'> & { width: number },
) {
  // Keeps a heading together with the text below it.
  if (pdf.y > pdf.page.height - footHeight - 86) pdf.addPage();
  if (section.heading) {
    pdf.font(font).fontSize(13.5).fillColor(colour).text(section.heading, margin, pdf.y, { width });
    pdf.moveDown(0.35);
  }
  for (const paragraph of section.paragraphs ?? []) {
    drawParagraph(pdf, paragraph, { x: margin, width });
    pdf.moveDown(0.7);
  }
  for (const item of section.list ?? []) {
    if (pdf.y > pdf.page.height - footHeight - 30) pdf.addPage();
    const y = pdf.y;
    pdf.font('Helvetica').fontSize(10.5).fillColor(colour).text('•', margin, y);
    pdf.fillColor(ink).text(item, margin + 16, y, { width: width - 16, lineGap: 3.5 });
    pdf.moveDown(0.4);
  }
  for (const row of section.table ?? []) drawRow(pdf, row, width);
  for (const label of section.lines ?? []) drawLine(pdf, label, width);
  pdf.moveDown(0.7);
}

const drawParagraph = (pdf: Pdf, text: string, { x, width }: { x: number; width: number }) =>
  pdf.font('Helvetica').fontSize(10.5).fillColor(ink).text(text, x, pdf.y, { width, lineGap: 3.5 });

function drawRow(pdf: Pdf, [first = '', ...others]: string[], width: number) {
  if (pdf.y > pdf.page.height - footHeight - 30) pdf.addPage();
  const y = pdf.y;
  pdf
    .font('Helvetica')
    .fontSize(10.5)
    .fillColor(ink)
    .text(first, margin, y, { width: width - 130 });
  const after = pdf.y;
  pdf.text(others.join('  '), margin + width - 120, y, { width: 120, align: 'right' });
  pdf.y = Math.max(after, pdf.y) + 4;
  drawRule(pdf, width);
  pdf.y += 6;
}

/** Draws a panel of a form: its number on the left, and a border around it. */
function drawPanel(pdf: Pdf, { panel = '', heading = '', paragraphs = [] }: Section, width: number) {
  const [numberWidth, padding, gap] = [30, 7, 4];
  const inner = { x: margin + numberWidth + padding, width: width - numberWidth - 2 * padding };
  const headingHeight = pdf.font('Helvetica-Bold').fontSize(9.5).heightOfString(heading, inner);
  const options = { width: inner.width, lineGap: 3.5 };
  pdf.font('Helvetica').fontSize(10.5);
  const heights = paragraphs.map((text) => pdf.heightOfString(text, options) + gap);
  const height = 2 * padding + headingHeight + heights.reduce((sum, each) => sum + each, 0);
  if (pdf.y + height > pdf.page.height - footHeight) pdf.addPage();
  const top = pdf.y;
  pdf.lineWidth(0.75).strokeColor(soft).rect(margin, top, width, height).stroke();
  pdf
    .moveTo(margin + numberWidth, top)
    .lineTo(margin + numberWidth, top + height)
    .stroke();
  pdf
    .font('Helvetica-Bold')
    .fontSize(9.5)
    .fillColor(ink)
    .text(panel, margin + padding, top + padding, { width: numberWidth - padding, lineBreak: false });
  pdf.text(heading, inner.x, top + padding, { width: inner.width });
  for (const text of paragraphs) {
    pdf.y += gap;
    drawParagraph(pdf, text, inner);
  }
  pdf.x = margin;
  pdf.y = top + height;
}

function drawSignatures(pdf: Pdf, { signatures = [], isDeed = false }: Letter, width: number) {
  for (const { name, written = [] } of signatures) {
    const labels = isDeed
      ? [
          `Signed as a deed by ${name}, in the presence of the witness below`,
          'Signature of the witness',
          'Name (in block capitals), address and occupation of the witness',
        ]
      : [`Signed by ${name}`];
    if (pdf.y > pdf.page.height - footHeight - labels.length * 46) pdf.addPage();
    pdf.moveDown(isDeed ? 1.2 : 0.6);
    for (const [index, label] of labels.entries()) drawLine(pdf, label, width, written[index]);
  }
}

/** Draws a line to write on, with its label below it. */
function drawLine(pdf: Pdf, label: string, width: number, written = '') {
  const y = pdf.y + 26;
  if (written) {
    pdf
      .font('Times-Italic')
      .fontSize(13)
      .fillColor(ink)
      .text(written, margin + 4, y - 15, { width, lineBreak: false });
  }
  pdf
    .moveTo(margin, y)
    .lineTo(margin + width * 0.55, y)
    .lineWidth(0.75)
    .strokeColor(soft)
    .stroke();
  pdf
    .font('Helvetica')
    .fontSize(9.5)
    .fillColor(soft)
    .text(label, margin, y + 5, { width });
  pdf.moveDown(0.6);
}

const alignments = {
  beside: { align: 'left' },
  centred: { align: 'center' },
  right: { align: 'right' },
} as const;

function drawLetterhead(pdf: Pdf, { layout, ...author }: Letterhead, width: number) {
  const { name, description = '', address, contact = '', font, colour } = author;
  const isBeside = layout === 'beside';
  const x = author.hasLogo ? margin + 28 : margin;
  if (author.hasLogo) drawLogo(pdf, colour);
  const at = { width, lineBreak: false, ...alignments[layout] };
  pdf
    .font(font)
    .fontSize(15)
    .fillColor(colour)
    .text(name, x, isBeside ? 46 : 36, at);
  pdf
    .font('Helvetica')
    .fontSize(8.5)
    .fillColor(soft)
    .text(description, x, isBeside ? 65 : 55, at);
  const lines = [address.join(', '), contact];
  if (isBeside) {
    for (const [index, text] of lines.entries())
      pdf.text(text, margin, 50 + 13 * index, { width, align: 'right', lineBreak: false });
  } else pdf.text(lines.filter(Boolean).join('  |  '), margin, 70, at);
  const y = pdf.y;
  pdf.y = 92;
  drawRule(pdf, width);
  pdf.y = y;
}

/** Draws the firm's key. */
function drawLogo(pdf: Pdf, colour: string) {
  const x = margin + 9;
  pdf.lineWidth(1.6).strokeColor(colour).circle(x, 53, 6.5).stroke();
  pdf
    .moveTo(x, 59.5)
    .lineTo(x, 74)
    .moveTo(x, 68)
    .lineTo(x + 4.5, 68)
    .moveTo(x, 73)
    .lineTo(x + 3.5, 73)
    .stroke();
}

function drawFoot(
  pdf: Pdf,
  statement: string | undefined,
  { width, page, count }: { width: number; page: number; count: number },
) {
  if (statement) {
    pdf
      .font('Helvetica')
      .fontSize(7)
      .fillColor(soft)
      .text(statement, margin, pdf.page.height - 84, { width, lineGap: 1.5 });
  }
  const y = pdf.page.height - 44;
  pdf
    .font('Helvetica')
    .fontSize(8)
    .fillColor(soft)
    .text('Demonstration document. The people, firms and facts in it are made up.', margin, y, {
      width,
      lineBreak: false,
    })
    .text(`Page ${page} of ${count}`, margin, y, { width, align: 'right', lineBreak: false });
}
