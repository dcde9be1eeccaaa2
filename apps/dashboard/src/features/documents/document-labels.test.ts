import { describe, expect, test } from 'vitest';
import { documentFixture, matterFixture, signatureFixture } from '../../../fixtures/entities.ts';
import {
  downloadName,
  fileSummary,
  matterTitle,
  signatureStatus,
  signButtonLabel,
} from './document-labels.ts';

test('downloads the signed copy under a different name from the original', () => {
  const document = { file_name: 'Deed scan.PNG', size: 900 };
  expect(downloadName(document, { size: 900 })).toBe('Deed scan.PNG');
  expect(downloadName(document, { size: 1_400 })).toBe('Deed scan (signed).pdf');
});

test('summarises a file by its type, pages and size', () => {
  expect(fileSummary(documentFixture())).toBe('PDF, 2 pages, 10 KB');
  expect(fileSummary(documentFixture({ pages: 1 }))).toBe('PDF, 1 page, 10 KB');
  expect(fileSummary(documentFixture({ pages: null }))).toBe('PDF, 10 KB');
  expect(fileSummary(documentFixture({ media_type: 'image/jpeg', pages: 1 }))).toBe('Image, 10 KB');
});

test.each([
  ['Contract for the sale of 14 Alder Row', 'Sign the contract for the sale of 14 Alder Row'],
  ['TR1 transfer deed', 'Sign the TR1 transfer deed'],
  ['SDLT return', 'Sign the SDLT return'],
  ['Our terms and costs', 'Sign “Our terms and costs”'],
  ['A deed of gift', 'Sign “A deed of gift”'],
  ['Österreich lease', 'Sign the österreich lease'],
])('labels the button for signing "%s" with "%s"', (title, label) => {
  expect(signButtonLabel(title)).toBe(label);
});

test('names a matter by its property, and several matters of one type by all their properties', () => {
  const flat = matterFixture({
    property: { ...matterFixture().property, address_lines: ['Flat 3', '21 Harbour View'] },
  });
  expect(matterTitle('purchase', [matterFixture()])).toBe('Purchase of The Old Chapel');
  expect(matterTitle('purchase', [matterFixture(), flat])).toBe(
    'Purchase of The Old Chapel and Flat 3, 21 Harbour View',
  );
  expect(matterTitle('transfer-of-equity', [])).toBe('Transfer of equity');
});

describe('the signature status of a document', () => {
  const signature = signatureFixture({ required: false });
  const tom = { name: 'Tom Okafor', signed_at: null };
  const signed = { signed_at: '2026-11-20T10:00:00.000Z' };

  test.each([
    ['no label when no signature is needed', null, null],
    ['no label when a superseded document was never signed', signature, null],
    ['"To sign" when this client must sign', { ...signature, required: true, others: [tom] }, 'To sign'],
    [
      '"Signed by you" when this client has signed and another has not',
      { ...signature, ...signed, others: [tom] },
      'Signed by you',
    ],
    ['"Being signed" when only another client must sign', { ...signature, others: [tom] }, 'Being signed'],
    [
      '"Signed" when every client has signed',
      { ...signature, ...signed, others: [{ ...tom, ...signed }] },
      'Signed',
    ],
    [
      '"To sign on paper" for a deed',
      { ...signature, signing: 'deed' as const, required: true },
      'To sign on paper',
    ],
    [
      '"Received signed" once the firm has received the paper',
      { ...signature, signing: 'wet_ink' as const, received_on: '2026-11-20' },
      'Received signed',
    ],
  ])('the signature status of a document is %s', (_, given, label) => {
    expect(signatureStatus(given)?.label ?? null).toBe(label);
  });
});
