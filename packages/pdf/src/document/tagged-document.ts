import PDFDocument from 'pdfkit';
import type { FontLibrary } from '../fonts/font-library.ts';
import type { TextStyle } from '../text/text-style.ts';
import { createTextWriter, type TextWriter } from '../text/text-writer.ts';

/** A tagged A4 document that is filled from top to bottom. Lengths are in points. */
export interface TaggedDocument {
  pdf: PDFKit.PDFDocument;
  writer: TextWriter;
  /** The root of the structure for screen readers. Add elements in reading order. */
  root: PDFKit.PDFStructureElement;
  left: number;
  width: number;
  /** The top of the next content. */
  y: number;
  /** Starts a new page unless there is room for this height, or the current page is empty. */
  ensureSpace(height: number): void;
  /** Sets what is drawn at the top of every following page; null for nothing. */
  setPageHeader(draw: (() => void) | null): void;
  /** Adds a structure element, such as `P`, `H1` or `TD`, to its parent. */
  addElement(
    parent: PDFKit.PDFStructureElement,
    type: string,
    options?: { scope?: 'Column' | 'Row'; alt?: string },
  ): PDFKit.PDFStructureElement;
  /** Draws content that belongs to a structure element. An element may have content on several pages. */
  drawContent(element: PDFKit.PDFStructureElement, type: string, draw: () => void): void;
  /** Draws decoration that screen readers skip. */
  drawArtifact(draw: () => void): void;
  /** Writes text from `y` down, on as many pages as necessary. */
  addText(
    element: PDFKit.PDFStructureElement,
    type: string,
    text: string,
    style: TextStyle,
    options?: { x?: number; width?: number; leading?: number },
  ): void;
  drawRule(colour: string, thickness?: number): void;
  /** Draws a rule before content of this height, unless the content starts a new page. */
  addDivider(height: number, colour: string): void;
  /** Ends the document and returns its bytes. */
  finish(): Promise<Buffer>;
}

export interface TaggedDocumentOptions {
  title: string;
  author: string;
  creator: string;
  createdAt: Date;
  /** Such as `en-GB`. */
  language: string;
  /** Points on the left and right. */
  margin: number;
  /** Top of the content on the first page and on all others. */
  firstPageTop: number;
  pageTop: number;
  /** Free space below the content. */
  bottomMargin: number;
  /** Draws content that depends on the number of pages, such as page numbers, before the document ends. */
  beforeFinish?: (document: TaggedDocument) => void;
}

/** Creates an empty tagged document with one page. The same content always produces the same bytes. */
export function createTaggedDocument(fonts: FontLibrary, options: TaggedDocumentOptions): TaggedDocument {
  const { margin, pageTop } = options;
  const pdf = openPdf(options);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const writer = createTextWriter(pdf, fonts);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const bottom = pdf.page.height - options.bottomMargin;
  let drawHeader: (() => void) | null = null;

  const document: TaggedDocument = {
    pdf,
    writer,
    root,
    left: margin,
    width: pdf.page.width - 2 * margin,
    y: options.firstPageTop,
    ensureSpace: (height) => {
      if (document.y + height <= bottom || document.y <= pageTop) return;
      pdf.addPage();
      document.y = pageTop;
      drawHeader?.();
    },
    setPageHeader: (draw) => {
      drawHeader = draw;
    },
    addElement: (parent, type, elementOptions = {}) => {
      const element = pdf.struct(type, elementOptions);
      parent.add(element);
      return element;
    },
    drawContent: (element, type, draw) => {
      element.add(pdf.markStructureContent(type));
      draw();
      pdf.endMarkedContent();
    },
    drawArtifact: (draw) => {
      pdf.markContent('Artifact', { type: 'Layout' });
      draw();
      pdf.endMarkedContent();
    },
    addText: (element, type, text, style, { x = margin, width = document.width, leading = 1.42 } = {}) => {
      for (const line of writer.lines(text, style, width)) {
        document.ensureSpace(style.size * leading);
        document.drawContent(element, type, () =>
          writer.draw(line, style, x, document.y + baselineOffset(style, leading)),
        );
        document.y += style.size * leading;
      }
    },
    drawRule: (colour, thickness = 0.75) =>
      document.drawArtifact(() =>
        pdf
          .moveTo(margin, document.y)
          .lineTo(margin + document.width, document.y)
          .lineWidth(thickness)
          .strokeColor(colour)
          .stroke(),
      ),
    addDivider: (height, colour) => {
      document.ensureSpace(height);
      if (document.y <= pageTop) return;
      document.drawRule(colour);
      document.y += 16;
    },
    finish: () =>
      new Promise((resolve, reject) => {
        options.beforeFinish?.(document);
        pdf.on('error', reject);
        pdf.on('end', () => resolve(Buffer.concat(chunks)));
        pdf.end();
      }),
  };
  return document;
}

/** Returns the distance from the top of a line to its baseline, in points. */
export const baselineOffset = (style: TextStyle, leading = 1.42) => style.size * (leading / 2 + 0.35);

function openPdf({ title, author, creator, createdAt, language }: TaggedDocumentOptions): PDFKit.PDFDocument {
  return new PDFDocument({
    size: 'A4',
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    bufferPages: true,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    // All fonts are embedded, so pdfkit must not load its default font.
    font: '',
    info: {
      Title: new MetadataText(title) as string,
      Author: new MetadataText(author) as string,
      Creator: creator,
      Producer: creator,
      CreationDate: createdAt,
    },
  });
}

/**
 * pdfkit writes these texts unescaped into the XML metadata, where it calls `toString`; this escapes them only there.
 */
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
