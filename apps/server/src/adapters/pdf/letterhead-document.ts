import type { Firm } from '@keyturn/contract';
import { splitFirmName } from '@keyturn/format/firm-name';
import { formatPhone } from '@keyturn/format/phone-number';
import {
  baselineOffset,
  createTaggedDocument,
  type FontLibrary,
  type TaggedDocument,
  type TextStyle,
} from '@keyturn/pdf';

export interface LetterheadOptions {
  title: string;
  firm: Firm;
  /** What the firm must state in its letters; empty if it has entered nothing. */
  statutoryLine: string;
  createdAt: Date;
  /** Shown on the left of every page's footer. */
  runningTitle: string;
  /** The word before the page number. */
  pageName: 'Page' | 'Signature page';
}

export const colours = {
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
  title: { face: 'display', weight: 500, size: 25, colour: colours.ink },
  heading: { face: 'display', weight: 500, size: 14.5, colour: colours.brand },
  text: { face: 'text', weight: 400, size: 10, colour: colours.ink },
  strong: { face: 'text', weight: 600, size: 10, colour: colours.ink },
  soft: { face: 'text', weight: 400, size: 10, colour: colours.soft },
  small: { face: 'text', weight: 400, size: 8.5, colour: colours.soft },
} satisfies Record<string, TextStyle>;

/** Creates an A4 document with the firm's letterhead on its first page, and numbered pages once it is finished. */
export function createLetterheadDocument(fonts: FontLibrary, options: LetterheadOptions): TaggedDocument {
  const document = createTaggedDocument(fonts, {
    title: options.title,
    author: options.firm.name,
    creator: 'Keyturn',
    createdAt: options.createdAt,
    language: 'en-GB',
    margin,
    firstPageTop: 52,
    pageTop: 84,
    bottomMargin: 72,
    beforeFinish: (finished) => numberPages(finished, options),
  });
  addLetterhead(document, options);
  return document;
}

const margin = 60;

/** Adds the firm's key symbol and name on the left, its contact details on the right, and what it must state below. */
function addLetterhead(document: TaggedDocument, { firm, statutoryLine }: LetterheadOptions): void {
  const top = document.y;
  drawKeySymbol(document, margin + 7, top);
  const { first, kind } = splitFirmName(firm.name);
  const name = document.addElement(document.root, 'P');
  document.y = top - 1;
  const nameBox = { x: margin + 26, width: 230, leading: 1.2 };
  document.addText(name, 'P', first, { ...styles.heading, size: 16 }, nameBox);
  if (kind) document.addText(name, 'P', kind, { ...styles.small, size: 9 }, nameBox);
  const nameBottom = document.y;

  document.y = top - 1;
  addContactDetails(document, firm);
  document.y = Math.max(nameBottom, document.y, top + 26) + 12;
  document.drawRule(colours.line);
  if (statutoryLine !== '') {
    document.y += 8;
    document.addText(document.addElement(document.root, 'P'), 'P', statutoryLine, styles.small);
  }
  document.y += statutoryLine === '' ? 30 : 20;
}

function drawKeySymbol({ pdf, drawArtifact }: TaggedDocument, x: number, top: number): void {
  drawArtifact(() => {
    pdf.lineWidth(1.7).lineCap('round').strokeColor(colours.brand);
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
}

/** Right-aligned lines. */
function addContactDetails(document: TaggedDocument, firm: Firm): void {
  const { writer } = document;
  const leading = 1.45;
  const element = document.addElement(document.root, 'P');
  for (const text of [firm.address.join(', '), formatPhone(firm.phone)]) {
    for (const line of writer.lines(text, styles.small, 200)) {
      const x = margin + document.width - line.width;
      const baseline = document.y + baselineOffset(styles.small, leading);
      document.drawContent(element, 'P', () => writer.draw(line, styles.small, x, baseline));
      document.y += styles.small.size * leading;
    }
  }
}

/** Adds the footer to every page, and the firm's name at the top of all but the first. */
function numberPages(document: TaggedDocument, { firm, runningTitle, pageName }: LetterheadOptions): void {
  const { pdf, writer } = document;
  const { count } = pdf.bufferedPageRange();
  const right = margin + document.width;
  const firstLine = (text: string, width: number) =>
    writer.lines(text, styles.small, width)[0] ?? { width: 0, rightToLeft: false, pieces: [] };
  const title = firstLine(runningTitle, document.width - 130);
  const name = firstLine(firm.name, document.width / 2 - 12);
  const drawLine = (y: number) =>
    pdf.moveTo(margin, y).lineTo(right, y).lineWidth(0.75).strokeColor(colours.line).stroke();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    const number = writer.line(`${pageName} ${page + 1} of ${count}`, styles.small);
    pdf.markContent('Artifact', { type: 'Pagination' });
    if (page > 0) {
      writer.draw(name, styles.small, margin, 56);
      drawLine(66);
    }
    const baseline = pdf.page.height - 40;
    drawLine(baseline - 18);
    writer.draw(title, styles.small, margin, baseline);
    writer.draw(number, styles.small, right - number.width, baseline);
    pdf.endMarkedContent();
  }
}
