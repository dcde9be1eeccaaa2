import type { Firm } from '@keyturn/contract';
import { splitFirmName } from '@keyturn/format/firm-name';
import PDFDocument from 'pdfkit';
import type { FontShelf } from './font-shelf.ts';
import { createTextWriter, type TextStyle, type TextWriter } from './write-text.ts';

/** A4 pages of the firm that fill from top to bottom. Lengths in points. */
export interface Sheet {
  pdf: PDFKit.PDFDocument;
  writer: TextWriter;
  /** What a screen reader reads; parts are added in the order of reading. */
  root: PDFKit.PDFStructureElement;
  left: number;
  width: number;
  /** Where the next thing stands. */
  y: number;
  /** Turns to a new page unless this height is left. What is higher than a page only begins on a new one. */
  need(height: number): void;
  /** Drawn at the head of every page that begins from now on; null: nothing. */
  repeat(head: (() => void) | null): void;
  /** A new part inside a part: `P`, `H1`, `TD`. */
  part(
    parent: PDFKit.PDFStructureElement,
    type: string,
    options?: { scope?: 'Column' | 'Row'; alt?: string },
  ): PDFKit.PDFStructureElement;
  /** Draws something that belongs to a part. A part can be drawn in several goes, on several pages. */
  mark(part: PDFKit.PDFStructureElement, type: string, draw: () => void): void;
  /** Draws something that no screen reader says. */
  decorate(draw: () => void): void;
  /** Lines of text from `y` on, over as many pages as they need. */
  paragraph(
    part: PDFKit.PDFStructureElement,
    type: string,
    text: string,
    style: TextStyle,
    at?: { x?: number; width?: number; leading?: number },
  ): void;
  rule(color: string, thickness?: number): void;
  /** A rule before something of this height, unless that begins a page. */
  divide(height: number): void;
  /** Numbers the pages. */
  close(): Promise<Buffer>;
}

export interface SheetTerms {
  title: string;
  firm: Firm;
  createdAt: Date;
  /** On the left of every page's foot. */
  runningTitle: string;
  /** What its pages are called where they are numbered. */
  pageName: 'Page' | 'Signature page';
}

export const colors = {
  ink: '#1b2420',
  soft: '#434c46',
  brand: '#14483c',
  line: '#ddd6c8',
  lineStrong: '#8a8372',
  wash: '#f7f4ed',
  accent: '#6b4600',
  accentWash: '#f9edd2',
};

export const styles = {
  title: { face: 'display', weight: 500, size: 25, color: colors.ink },
  heading: { face: 'display', weight: 500, size: 14.5, color: colors.brand },
  text: { face: 'text', weight: 400, size: 10, color: colors.ink },
  strong: { face: 'text', weight: 600, size: 10, color: colors.ink },
  soft: { face: 'text', weight: 400, size: 10, color: colors.soft },
  small: { face: 'text', weight: 400, size: 8.5, color: colors.soft },
} satisfies Record<string, TextStyle>;

/** Opens a document with the firm's letterhead on its first page. The same content gives the same bytes. */
export function openSheet(shelf: FontShelf, terms: SheetTerms): Sheet {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-GB',
    tagged: true,
    displayTitle: true,
    // None but the embedded ones.
    font: '',
    info: {
      Title: new MetadataText(terms.title) as string,
      Author: new MetadataText(terms.firm.name) as string,
      Creator: 'Keyturn',
      Producer: 'Keyturn',
      CreationDate: terms.createdAt,
    },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const writer = createTextWriter(pdf, shelf);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const bottom = pdf.page.height - 72;
  let head: (() => void) | null = null;

  const sheet: Sheet = {
    pdf,
    writer,
    root,
    left: margin,
    width: pdf.page.width - 2 * margin,
    y: 52,
    need: (height) => {
      if (sheet.y + height <= bottom || sheet.y <= pageTop) return;
      pdf.addPage();
      sheet.y = pageTop;
      head?.();
    },
    repeat: (next) => {
      head = next;
    },
    part: (parent, type, options = {}) => {
      const part = pdf.struct(type, options);
      parent.add(part);
      return part;
    },
    mark: (part, type, draw) => {
      part.add(pdf.markStructureContent(type));
      draw();
      pdf.endMarkedContent();
    },
    decorate: (draw) => {
      pdf.markContent('Artifact', { type: 'Layout' });
      draw();
      pdf.endMarkedContent();
    },
    paragraph: (part, type, text, style, { x = margin, width = sheet.width, leading = 1.42 } = {}) => {
      for (const line of writer.lines(text, style, width)) {
        sheet.need(style.size * leading);
        sheet.mark(part, type, () => writer.draw(line, style, x, sheet.y + baseLine(style, leading)));
        sheet.y += style.size * leading;
      }
    },
    rule: (color, thickness = 0.75) =>
      sheet.decorate(() =>
        pdf
          .moveTo(margin, sheet.y)
          .lineTo(margin + sheet.width, sheet.y)
          .lineWidth(thickness)
          .strokeColor(color)
          .stroke(),
      ),
    divide: (height) => {
      sheet.need(height);
      if (sheet.y <= pageTop) return;
      sheet.rule(colors.line);
      sheet.y += 16;
    },
    close: () =>
      new Promise((done, fail) => {
        numberPages(sheet, terms);
        pdf.on('error', fail);
        pdf.on('end', () => done(Buffer.concat(chunks)));
        pdf.end();
      }),
  };
  setLetterhead(sheet, terms.firm);
  return sheet;
}

const margin = 60;
/** Of all pages but the first. */
const pageTop = 84;

/** How far below a line's top its letters stand. */
export const baseLine = (style: TextStyle, leading = 1.42) => style.size * (leading / 2 + 0.35);

/** pdfkit writes the title into the XML of the metadata as it is; this escapes it there, and only there. */
class MetadataText extends String {
  constructor(text: string) {
    super(text.toWellFormed().replace(/\p{Cc}/gu, ' '));
  }

  override toString(): string {
    return super
      .toString()
      .replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
      .replace(/[\u{fffe}\u{ffff}]/gu, '\u{fffd}');
  }
}

/** The firm's key and name on the left, how to reach it on the right. */
function setLetterhead(sheet: Sheet, firm: Firm): void {
  const { pdf, writer } = sheet;
  const top = sheet.y;
  const x = margin + 7;
  sheet.decorate(() => {
    pdf.lineWidth(1.7).lineCap('round').strokeColor(colors.brand);
    pdf.circle(x, top + 7.5, 6).stroke();
    pdf
      .moveTo(x, top + 13.5)
      .lineTo(x, top + 25)
      .moveTo(x, top + 19)
      .lineTo(x + 4.3, top + 19)
      .moveTo(x, top + 23.5)
      .lineTo(x + 3.3, top + 23.5)
      .stroke();
    pdf.lineCap('butt');
  });
  const { first, kind } = splitFirmName(firm.name);
  const name = sheet.part(sheet.root, 'P');
  sheet.y = top - 1;
  const nameAt = { x: margin + 26, width: 230, leading: 1.2 };
  sheet.paragraph(name, 'P', first, { ...styles.heading, size: 16 }, nameAt);
  if (kind) sheet.paragraph(name, 'P', kind, { ...styles.small, size: 9 }, nameAt);
  const nameEnd = sheet.y;

  sheet.y = top - 1;
  const reach = sheet.part(sheet.root, 'P');
  const width = 200;
  for (const text of [firm.address.join(', '), firm.phone, `SRA number ${firm.sra_number}`]) {
    for (const line of writer.lines(text, styles.small, width)) {
      sheet.mark(reach, 'P', () =>
        writer.draw(
          line,
          styles.small,
          margin + sheet.width - line.width,
          sheet.y + baseLine(styles.small, 1.45),
        ),
      );
      sheet.y += styles.small.size * 1.45;
    }
  }
  sheet.y = Math.max(nameEnd, sheet.y, top + 26) + 12;
  sheet.rule(colors.line);
  sheet.y += 30;
}

function numberPages(sheet: Sheet, { firm, runningTitle, pageName }: SheetTerms): void {
  const { pdf, writer } = sheet;
  const { count } = pdf.bufferedPageRange();
  const half = sheet.width / 2 - 12;
  const oneLine = (text: string, width: number) =>
    writer.lines(text, styles.small, width)[0] ?? { width: 0, rightToLeft: false, pieces: [] };
  const title = oneLine(runningTitle, sheet.width - 130);
  const name = oneLine(firm.name, half);
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    const number = writer.line(`${pageName} ${page + 1} of ${count}`, styles.small);
    const right = margin + sheet.width;
    pdf.markContent('Artifact', { type: 'Pagination' });
    if (page > 0) {
      writer.draw(name, styles.small, margin, 56);
      pdf.moveTo(margin, 66).lineTo(right, 66).lineWidth(0.75).strokeColor(colors.line).stroke();
    }
    const foot = pdf.page.height - 40;
    pdf
      .moveTo(margin, foot - 18)
      .lineTo(right, foot - 18)
      .lineWidth(0.75)
      .strokeColor(colors.line)
      .stroke();
    writer.draw(title, styles.small, margin, foot);
    writer.draw(number, styles.small, right - number.width, foot);
    pdf.endMarkedContent();
  }
}
