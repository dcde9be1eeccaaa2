import { buffer } from 'node:stream/consumers';
import PDFKit from 'pdfkit';
import { expect, test } from 'vitest';

test('reading a PDF in a test does not replace the functions of JSON', async () => {
  const { stringify, parse } = JSON;
  const { readPdf } = await import('./read-pdf.ts');
  const document = new PDFKit();
  document.text('A page').end();
  expect((await readPdf(await buffer(document))).pages).toEqual(['A page']);
  expect({ stringify: JSON.stringify === stringify, parse: JSON.parse === parse }).toEqual({
    stringify: true,
    parse: true,
  });
});
