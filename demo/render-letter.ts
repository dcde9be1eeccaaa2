import { dayParts, londonDay } from '@keyturn/format/london-time';
import PDFDocument from 'pdfkit';

/** The content of a document, from top to bottom. */
export interface Letter {
  title: string;
  /** Shown below the title, after the date unless they contain one. */
  facts: [string, string][];
  sections: { heading?: string; paragraphs?: string[]; list?: string[]; table?: string[][] }[];
  /** One signature line each, at the end. */
  signatures?: string[];
  /** A deed: each signature has lines for its witness. */
  isDeed?: boolean;
}

/** A standard PDF font. Embedding another one would take most of the time that a letter needs to render. */
const display = 'Times-Roman';
const ink = '#1b2420';
const soft = '#434c46';
const brand = '#14483c';
const line = '#ddd6c8';
const margin = 64;

/** Renders a document as an A4 PDF with the firm's letterhead. The same letter and date always give the same bytes. */
export function renderLetter(letter: Letter, date: Date): Promise<{ content: Buffer; pages: number }> {
  return new Promise((resolve, reject) => {
    const pdf = new PDFDocument({
      size: 'A4',
      margins: { top: 128, bottom: 84, left: margin, right: margin },
      bufferPages: true,
      lang: 'en-GB',
      tagged: true,
      displayTitle: true,
      info: {
        Title: letter.title,
        Author: 'Alder & Finch Conveyancing',
        CreationDate: date,
      },
    });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('error', reject);
    const width = pdf.page.width - 2 * margin;

    pdf.font(display).fontSize(22).fillColor(ink).text(letter.title, { width });
    pdf.moveDown(0.6);
    for (const [name, value] of datedFacts(letter, date)) {
      const y = pdf.y;
      pdf.font('Helvetica').fontSize(9.5).fillColor(soft).text(name, margin, y, { width: 110 });
      pdf.fillColor(ink).text(value, margin + 120, y, { width: width - 120 });
      pdf.moveDown(0.25);
    }
    pdf.moveDown(0.4);
    pdf
      .moveTo(margin, pdf.y)
      .lineTo(margin + width, pdf.y)
      .lineWidth(0.75)
      .strokeColor(line)
      .stroke();
    pdf.moveDown(1);
    for (const section of letter.sections) drawSection(pdf, section, width);
    if (letter.signatures) drawSignatureLines(pdf, letter, width);

    const { count } = pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      pdf.switchToPage(page);
      drawLetterheadAndFooter(pdf, width, page + 1, count);
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

function drawSection(pdf: PDFKit.PDFDocument, section: Letter['sections'][number], width: number) {
  // Keeps a heading together with the text below it.
  if (pdf.y > pdf.page.height - 170) pdf.addPage();
  if (section.heading) {
    pdf.font(display).fontSize(13.5).fillColor(brand).text(section.heading, margin, pdf.y, { width });
    pdf.moveDown(0.35);
  }
  for (const paragraph of section.paragraphs ?? []) {
    pdf
      .font('Helvetica')
      .fontSize(10.5)
      .fillColor(ink)
      .text(paragraph, margin, pdf.y, { width, lineGap: 3.5 });
    pdf.moveDown(0.7);
  }
  for (const item of section.list ?? []) {
    const y = pdf.y;
    pdf.font('Helvetica').fontSize(10.5).fillColor(brand).text('•', margin, y);
    pdf.fillColor(ink).text(item, margin + 16, y, { width: width - 16, lineGap: 3.5 });
    pdf.moveDown(0.4);
  }
  for (const row of section.table ?? []) {
    const y = pdf.y;
    const [first = '', ...others] = row;
    pdf
      .font('Helvetica')
      .fontSize(10.5)
      .fillColor(ink)
      .text(first, margin, y, { width: width - 130 });
    const after = pdf.y;
    pdf.text(others.join('  '), margin + width - 120, y, { width: 120, align: 'right' });
    pdf.y = Math.max(after, pdf.y) + 4;
    pdf
      .moveTo(margin, pdf.y)
      .lineTo(margin + width, pdf.y)
      .lineWidth(0.5)
      .strokeColor(line)
      .stroke();
    pdf.y += 6;
  }
  pdf.moveDown(0.7);
}

function drawSignatureLines(
  pdf: PDFKit.PDFDocument,
  { signatures = [], isDeed = false }: Letter,
  width: number,
) {
  for (const name of signatures) {
    const lines = isDeed
      ? [
          `Signed as a deed by ${name}, in the presence of the witness below`,
          'Signature of the witness',
          'Name and address of the witness',
        ]
      : [`Signed by ${name}`];
    if (pdf.y > pdf.page.height - 84 - lines.length * 46) pdf.addPage();
    pdf.moveDown(isDeed ? 1.2 : 0.6);
    for (const label of lines) drawSignatureLine(pdf, label, width);
  }
}

function drawSignatureLine(pdf: PDFKit.PDFDocument, label: string, width: number) {
  const y = pdf.y + 26;
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

/** Draws the letterhead and the footer, outside the text margins. */
function drawLetterheadAndFooter(pdf: PDFKit.PDFDocument, width: number, page: number, count: number) {
  const { bottom } = pdf.page.margins;
  pdf.page.margins.bottom = 0;
  const x = margin + 9;
  pdf.lineWidth(1.6).strokeColor(brand).circle(x, 53, 6.5).stroke();
  pdf
    .moveTo(x, 59.5)
    .lineTo(x, 74)
    .moveTo(x, 68)
    .lineTo(x + 4.5, 68)
    .moveTo(x, 73)
    .lineTo(x + 3.5, 73)
    .stroke();
  pdf
    .font(display)
    .fontSize(15)
    .fillColor(brand)
    .text('Alder & Finch', margin + 28, 46, { lineBreak: false });
  pdf
    .font('Helvetica')
    .fontSize(8.5)
    .fillColor(soft)
    .text('Conveyancing', margin + 28, 65, { lineBreak: false });
  pdf
    .fontSize(8.5)
    .text('2 Tollgate House, Redcliffe Parade, Bristol BS1 6TH', margin, 50, {
      width,
      align: 'right',
      lineBreak: false,
    })
    .text('0117 496 0100', margin, 63, { width, align: 'right', lineBreak: false });
  pdf
    .moveTo(margin, 92)
    .lineTo(margin + width, 92)
    .lineWidth(0.75)
    .strokeColor(line)
    .stroke();
  pdf
    .fontSize(8)
    .fillColor(soft)
    .text('Demonstration document. This firm does not exist.', margin, pdf.page.height - 52, {
      width,
      lineBreak: false,
    })
    .text(`Page ${page} of ${count}`, margin, pdf.page.height - 52, {
      width,
      align: 'right',
      lineBreak: false,
    });
  pdf.page.margins.bottom = bottom;
}
