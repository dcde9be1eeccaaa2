import { makePdf, markedPdfs, pageText } from '@keyturn/testkit/marked-pdfs.ts';
import { expect, test } from 'vitest';
import { readShownContent } from './shown-content.ts';

/** Reads the text of the first page of a PDF with the library that the viewer uses. */
async function readItems(pdf: Buffer) {
  (globalThis as { DOMMatrix?: unknown }).DOMMatrix ??= class {};
  const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, useWasm: false });
  const document = await task.promise;
  const layers = await document.getOptionalContentConfig({ intent: 'display' });
  const { items } = await readShownContent(await document.getPage(1), layers, OPS);
  await task.destroy();
  return items;
}

const read = async (pdf: Buffer): Promise<string[]> =>
  (await readItems(pdf)).flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str] : []));

const words = (text: string, x: number, y: number) => `BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET`;

test.each<[keyof typeof markedPdfs, string[]]>([
  ['plain page', []],
  ['text field with appearance', ['385,000 pounds']],
  ['text field without value', []],
  ['hidden text field with value', []],
  ['ticked checkbox', ['Ticked']],
  ['unticked checkbox', ['Not ticked']],
  ['choice with appearance', ['Freehold']],
  ['invisible digital signature', []],
  ['text box', ['385,000 pounds']],
  ['text box that is only printed', []],
  ['stamp', ['Approved']],
  ['hidden stamp', []],
  ['sticky note', ['Comment: Ask for less']],
  ['web link', []],
  ['visible layer', ['Clause of the layer', 'After the layer']],
  ['hidden layer', ['After the layer']],
  ['layer that is only printed', []],
])('the text of a page is what it shows in a PDF with: %s', async (name, shown) => {
  expect(await read(markedPdfs[name]())).toEqual([pageText, ...shown]);
});

test('reads form values where the page shows them, each line by itself', async () => {
  const field = (name: string, rect: string, value: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /Rect [${rect}] /V (${value}) /DA (/F1 10 Tf 0 g) >>`;
  const pdf = makePdf({
    catalogue: '/AcroForm << /Fields [10 0 R 11 0 R 12 0 R] /DA (/F1 10 Tf 0 g) >>',
    page: '/Annots [12 0 R 11 0 R 10 0 R]',
    content: [
      words('Price:', 72, 650),
      words('pounds', 300, 650),
      words('Address:', 72, 620),
      words('Signed by the seller', 72, 500),
    ].join('\n'),
    objects: {
      10: field('price', '120 645 280 665', '385,000'),
      11: field('address', '120 570 400 632', '14 Alder Row\\nBath'),
      12: field('date', '72 460 200 480', '1 December 2026'),
    },
  });
  expect(await read(pdf)).toEqual([
    pageText,
    'Price:',
    '385,000',
    'pounds',
    'Address:',
    '14 Alder Row',
    'Bath',
    'Signed by the seller',
    '1 December 2026',
  ]);
});

test('does not read text of a hidden layer in a part that is drawn as a whole, or between visible words on a line', async () => {
  const stamp = words('Draft', 300, 300);
  const pdf = makePdf({
    catalogue: '/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>',
    page: '/Properties << /L1 10 0 R >> /XObject << /X1 11 0 R >>',
    content: [
      `${words('The price is', 72, 650)} /OC /L1 BDC ${words('not', 140, 650)} EMC`,
      words('fixed', 170, 650),
      '/X1 Do',
      words('until completion', 72, 600),
    ].join('\n'),
    objects: {
      10: '<< /Type /OCG /Name (Layer) >>',
      11: `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /OC 10 0 R /Resources << /Font << /F1 5 0 R >> >> /Length ${stamp.length} >>
stream
${stamp}
endstream`,
    },
  });
  expect(await read(pdf)).toEqual([pageText, 'The price is', 'fixed', 'until completion']);
});

test('does not count a form value as part of the header that is drawn around it', async () => {
  const pdf = makePdf({
    catalogue: '/AcroForm << /Fields [10 0 R] /DA (/F1 10 Tf 0 g) >>',
    page: '/Annots [10 0 R]',
    content: `/Artifact BMC ${words('Alder and Finch', 72, 800)} EMC`,
    objects: {
      10: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [72 600 272 620] /V (385,000) /DA (/F1 10 Tf 0 g) >>',
    },
  });
  const items = (await readItems(pdf)).map((item) => ('str' in item ? item.str : item.type));
  expect(items.filter((item) => item.trim() !== '')).toEqual([
    pageText,
    '385,000',
    'beginMarkedContent',
    'Alder and Finch',
    'endMarkedContent',
  ]);
});
